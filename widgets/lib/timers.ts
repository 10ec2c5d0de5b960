/** The times of the kit; the contract has them with the product's other constants. */
export { copiedMs, dialogCloseMs, toastMs } from '../../contract/core/limits.ts'
