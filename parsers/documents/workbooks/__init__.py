"""Workbooks (XLSX, XLSM, XLSB, XLS, ODS) to grids, one a sheet."""
