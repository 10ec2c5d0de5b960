/** The error codes of every noun, one line each; `errors` merges them. */
export { accountErrors } from '../account/account.errors.ts'
export { campaignErrors } from '../mail/campaign.errors.ts'
export { configErrors } from '../mail/config.errors.ts'
export { embedErrors } from '../embed/embed.errors.ts'
export { hostedErrors } from '../hosted/hosted.errors.ts'
export { messageErrors } from '../mail/message.errors.ts'
export { suppressionErrors } from '../audience/suppression.errors.ts'
export { templateErrors } from '../mail/template.errors.ts'
