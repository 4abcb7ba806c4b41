# For those who have make: every target is a command of ./dev.
.PHONY: setup run test lint bench demo shots help
setup run test lint bench demo shots help:
	@./dev $@
