/** Attributes that say how a mail is laid out and hold no address. */
export const plainAttributes =
  'alt title width height align valign colspan rowspan cellpadding cellspacing border bgcolor target'.split(' ')
