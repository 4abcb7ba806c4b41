# For those who have make: every target is a command of ./dev.
.PHONY: setup run test coverage lint bench demo shots help
setup run test coverage lint bench demo shots help:
	@./dev $@
