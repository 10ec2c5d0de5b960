import {
  acceptDocument,
  confirmEmail,
  exchangeSignInCode,
  getCurrentUser,
  requestPasswordReset,
  resendConfirmation,
  signIn,
  signOut,
  signUp,
  updatePassword,
} from './account.ts'
import { addEmailConfig, deleteEmailConfig, listEmailConfigs } from './config.ts'
import { finishGoogleSignIn, startGoogleSignIn } from './google.ts'
import { getHealth, getOpenApi, getReadiness } from './health.ts'
import {
  createDocument,
  deleteDocument,
  getDocument,
  getHostedUser,
  listDocuments,
  signInHosted,
  signUpHosted,
  updateDocument,
  updateHostedUser,
} from './hosted.ts'
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
import { listSessions, revokeOtherSessions, revokeSession } from './sessions.ts'

/** Every call there is: routes, client, OpenAPI and the documents are held against this list. */
export const operations: readonly Operation[] = [
  signUp,
  signIn,
  startGoogleSignIn,
  finishGoogleSignIn,
  exchangeSignInCode,
  signOut,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  getCurrentUser,
  requestPasswordReset,
  updatePassword,
  confirmEmail,
  resendConfirmation,
  acceptDocument,
  addEmailConfig,
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
  getDocument,
  createDocument,
  updateDocument,
  deleteDocument,
  listDocuments,
  signInHosted,
  signUpHosted,
  getHostedUser,
  updateHostedUser,
  listSandboxMessages,
  getSandboxMessage,
  getHealth,
  getReadiness,
  getOpenApi,
]
