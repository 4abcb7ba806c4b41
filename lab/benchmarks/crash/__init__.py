"""A contest in full swing, while its processes are killed and its disk, database and clock fail.

`house` starts and kills the real processes, `contest` makes what they serve, `people` write through HTTP and keep a
ledger of what was acknowledged, `audit` compares the database with it, and `trials` has all that fails.
"""
