"""The LMTP daemon: mail over a socket, answered with 250 only once the log has it durably."""
