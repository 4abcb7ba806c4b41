"""Events: what is played, by which rules and in which stages, and in what state an event is."""
