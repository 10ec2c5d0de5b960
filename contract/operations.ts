import { confirmEmail, getCurrentUser, resendConfirmation, signIn, signOut, signUp } from './account.ts'
import {
  addCampaignRecipients,
  cancelEmailCampaign,
  createEmailCampaign,
  deleteEmailCampaign,
  getEmailCampaign,
  launchEmailCampaign,
  listEmailCampaigns,
  pauseEmailCampaign,
  resumeEmailCampaign,
  retryEmailCampaign,
  testEmailCampaign,
  updateEmailCampaign,
  watchEmailCampaign,
} from './campaign.ts'
import { addEmailConfig, deleteEmailConfig, listEmailConfigs } from './config.ts'
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
import {
  addSuppressions,
  deleteSuppression,
  exportSuppressions,
  importSuppressions,
  listSuppressions,
} from './suppression.ts'
import { getWorkspace, updateWorkspace } from './workspace.ts'
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
  listEmailConfigs,
  deleteEmailConfig,
  createEmailTemplate,
  getEmailTemplates,
  getEmailTemplate,
  updateEmailTemplate,
  deleteEmailTemplate,
  restoreEmailTemplate,
  deleteAllTemplates,
  listEmailCampaigns,
  createEmailCampaign,
  getEmailCampaign,
  updateEmailCampaign,
  deleteEmailCampaign,
  addCampaignRecipients,
  launchEmailCampaign,
  pauseEmailCampaign,
  resumeEmailCampaign,
  cancelEmailCampaign,
  retryEmailCampaign,
  testEmailCampaign,
  watchEmailCampaign,
  listSuppressions,
  addSuppressions,
  deleteSuppression,
  importSuppressions,
  exportSuppressions,
  getWorkspace,
  updateWorkspace,
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
