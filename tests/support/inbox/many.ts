/** `count` texts by their number, from 0, joined: a mail with so many lines, parts or recipients. */
export const many = (count: number, text: (no: number) => string, between = '\n'): string =>
  Array.from({ length: count }, (_, no) => text(no)).join(between)
