/* A library that a plugin depends on and an operator's machine lacks. */
int only_in_gone(void);
int only_in_gone(void) {
  return 1;
}
