"""What every game family stands on: codes, rule sets, facts, totals."""
