/** How long a copied state and a toast are shown. */
export const copiedMs = 2000
export const toastMs = 5000
/** Length of a dialog's closing animation. */
export const dialogCloseMs = 200
