"""Ways to tell somebody. Each raises NotTaken where that failed, and then the same is told again later."""
