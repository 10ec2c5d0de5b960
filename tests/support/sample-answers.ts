import type { Handler } from './api-server.ts'
import { progressEvents, statisticsEvents } from './progress-events.ts'
import { sampleConfig, sampleMessage, sampleUsage, sampleUser } from './samples.ts'

/** Responses for a signed-in user with one mailbox; the sandbox is off. Set them again before each test. */
export function signedInResponses(): Record<string, Handler> {
  return {
    getCurrentUser: { json: sampleUser() },
    countUnreadReplies: {
      json: {
        unread_count: 0,
        reply_count: 0,
        auto_reply_count: 0,
        probable_count: 0,
        unverified_count: 0,
        is_any_reading: false,
      },
    },
    listReplies: { json: [], headers: { 'X-Total-Count': '0' } },
    getReading: {
      json: {
        is_reading: false,
        state: 'off',
        error: null,
        since: null,
        last_checked_at: null,
        imap: null,
        can_read: true,
        folders: [],
        counts: {
          seen: 0,
          matched: 0,
          bounces: 0,
          replies: 0,
          auto_replies: 0,
          complaints: 0,
          unmatched_bounces: 0,
        },
      },
    },
    signIn: { json: { access_token: 'at_1', confirmed_email: true } },
    signOut: { status: 204 },
    signUp: { status: 201, json: { message: 'Check your email.' } },
    requestPasswordReset: { json: { message: 'Sent.' } },
    updatePassword: { json: { message: 'Updated.' } },
    resendConfirmation: { json: { message: 'Sent.' } },
    acceptDocument: { status: 204 },
    confirmEmail: { json: { message: 'Your email is confirmed.', error: null } },
    listEmailConfigs: { json: [sampleConfig()], headers: { 'X-Total-Count': '1' } },
    addEmailConfig: { status: 201, json: sampleConfig({ id: 'cfg_new', email_address: 'new@example.com' }) },
    deleteEmailConfig: { status: 204 },
    updateEmailConfig: { json: sampleConfig() },
    rotateSecretKey: { json: sampleConfig({ secret_key: 'ck_new' }) },
    listConfigUsage: { json: [sampleUsage()], headers: { 'X-Total-Count': '1' } },
    listMailboxSignIns: { json: [] },
    discoverMailServer: { json: { server: null } },
    listMessages: { json: [], headers: { 'X-Total-Count': '0' } },
    listEmailCampaigns: { json: [], headers: { 'X-Total-Count': '0' } },
    listSuppressions: { json: [], headers: { 'X-Total-Count': '0' } },
    watchStatistics: statisticsEvents([]),
    updateCurrentUser: { json: sampleUser() },
    changePassword: { status: 204 },
    closeAccount: { status: 204 },
    listSessions: { json: [], headers: { 'X-Total-Count': '0' } },
    getWorkspace: {
      json: { id: 'wsp_1', name: 'Northwind', postal_address: null, tracking: 'off', api_tracking: 'off' },
    },
    updateWorkspace: {
      json: { id: 'wsp_1', name: 'Northwind', postal_address: null, tracking: 'off', api_tracking: 'off' },
    },
    listTrackingDomains: { json: [] },
    sendMailWithKey: {
      json: { message: 'Email sent successfully to 1 recipients', id: 'msg_1', accepted: 1, suppressed: 0 },
    },
    getEmailTemplates: { json: [], headers: { 'X-Total-Count': '0' } },
    listDocuments: { json: [], headers: { 'X-Total-Count': '0' } },
    listSavedBlocks: { json: [] },
    getDraft: { status: 204 },
    saveDraft: { json: { revision: 1, updated_at: '2025-08-14T09:30:00.000Z', replaced: null } },
    deleteDraft: { status: 204 },
    watchMessage: progressEvents(sampleMessage({ 'visitor-1@example.org': 'sent' })),
    getMessage: { json: sampleMessage({ 'visitor-1@example.org': 'sent' }) },
    listSandboxMessages: { status: 404, json: { detail: 'Nothing is here.' } },
  }
}
