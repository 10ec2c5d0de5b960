import { confirmEmail, getCurrentUser, resendConfirmation, signIn, signOut, signUp } from './account.ts'
import {
  addEmailConfig,
  deleteEmailConfig,
  finishMailboxSignIn,
  listEmailConfigs,
  startMailboxSignIn,
} from './config.ts'
import { getHealth, getOpenApi, getReadiness } from './health.ts'
import { getMessage, getMessageApi, resendMessage, sendMailWithKey, sendMailWithKeyApi } from './message.ts'
import type { Operation } from './operation.ts'
import {
  createEmailTemplate,
  deleteAllTemplates,
  deleteEmailTemplate,
  getEmailTemplate,
  getEmailTemplates,
  restoreEmailTemplate,
  updateEmailTemplate,
} from './template.ts'
import { getSandboxMessage, listSandboxMessages } from './sandbox.ts'

/** Every call there is: routes, client, OpenAPI and the documents are held against this list. */
export const operations: readonly Operation[] = [
  signUp,
  signIn,
  signOut,
  getCurrentUser,
  confirmEmail,
  resendConfirmation,
  addEmailConfig,
  startMailboxSignIn,
  finishMailboxSignIn,
  listEmailConfigs,
  deleteEmailConfig,
  createEmailTemplate,
  getEmailTemplates,
  getEmailTemplate,
  updateEmailTemplate,
  deleteEmailTemplate,
  restoreEmailTemplate,
  deleteAllTemplates,
  sendMailWithKey,
  sendMailWithKeyApi,
  getMessage,
  getMessageApi,
  resendMessage,
  listSandboxMessages,
  getSandboxMessage,
  getHealth,
  getReadiness,
  getOpenApi,
]
