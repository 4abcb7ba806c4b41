"""Spanish in Britain and Ireland."""
