/** The product's name, wherever a page says it. */
export const productName = 'Sendwright'
/** What stands in the browser's tab on the landing page. */
export const homeTitle = `${productName}: send from the mailbox you already own`
/** Where people write to for help; an operator puts their own. */
export const supportEmail = 'support@sendwright.example'
