/** The product's name on all pages. */
export const productName = 'Sendwright'
/** Title of the landing page. */
export const homeTitle = `${productName}: send from the mailbox you already own`
/** Support address; operators set their own. */
export const supportEmail = 'support@sendwright.example'
