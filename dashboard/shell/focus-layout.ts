import { proxy } from 'valtio/vanilla'

/** Whether a person has put the screen into the focus layout: a rail, and a document bar in place of the top bar. */
export const focusLayout = proxy({ isChosen: false })
