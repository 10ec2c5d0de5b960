/** The product's name, wherever a page says it. */
export const productName = 'Sendwright'
/** Where people write to for help; an operator puts their own. */
export const supportEmail = 'support@sendwright.example'
