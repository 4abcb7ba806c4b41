"""A contest with everything going on, while its processes are killed and its disk, database and clock fail.

`house` starts and kills the real processes, `contest` makes what they serve, `people` write through HTTP and keep a
ledger of what was acknowledged, `audit` holds the database against it; `kills` and `faults` are the trials, `table`
shows them.
"""
