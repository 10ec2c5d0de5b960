import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { operations } from '../../contract/core/operations.ts'
import { startApi, type ApiServer } from '../../tests/support/api-server.ts'
import {
  campaignCounts,
  sampleCampaign,
  sampleConfig,
  sampleConsent,
  sampleEmbed,
  sampleMessage,
  sampleSandboxMessage,
  sampleTemplate,
  sampleUser,
} from '../../tests/support/samples.ts'
import * as account from '../account/account.ts'
import * as campaign from '../mail/campaign.ts'
import * as campaignAudience from '../audience/campaign-audience.ts'
import * as configOwner from '../mail/config-owner.ts'
import * as config from '../mail/config.ts'
import * as draft from '../mail/draft.ts'
import * as embed from '../embed/embed.ts'
import * as embedSession from '../embed/embed-session.ts'
import * as attachment from '../files/attachment.ts'
import * as bounce from '../inbox/bounce.ts'
import * as deliverability from '../checks/deliverability.ts'
import * as image from '../files/image.ts'
import * as hosted from '../hosted/hosted.ts'
import type { Session } from './http.ts'
import { googleSignInAddress } from '../account/google.ts'
import * as message from '../mail/message.ts'
import * as report from '../results/report.ts'
import * as trackingDomain from '../results/tracking-domain.ts'
import * as profile from '../account/profile.ts'
import * as reading from '../inbox/reading.ts'
import * as reply from '../inbox/reply.ts'
import * as sandbox from '../mail/sandbox.ts'
import * as scheduledMessage from '../mail/scheduled-message.ts'
import * as savedBlock from '../mail/saved-block.ts'
import * as contact from '../audience/contact.ts'
import * as contactAction from '../audience/contact-action.ts'
import * as contactField from '../audience/contact-field.ts'
import * as contactImport from '../audience/import.ts'
import * as list from '../audience/list.ts'
import * as segment from '../audience/segment.ts'
import * as suppression from '../audience/suppression.ts'
import * as sessions from '../account/sessions.ts'
import * as statistics from '../results/statistics.ts'
import * as template from '../mail/template.ts'
import * as workspace from '../account/workspace.ts'

const openedSession = { session_token: 'es_1', expires_at: '2025-08-14T09:45:00.000Z', scopes: ['mail:send'] }
const scheduledMessageAnswer = {
  id: 'msg_1',
  from: 'studio@northwind.example',
  subject: 'Doors open Thursday',
  recipients: 1,
  scheduled_at: '2027-03-01T09:00:00.000Z',
  timezone: null,
  created_at: '2025-08-14T09:30:00.000Z',
  mode: 'html',
  preheader: '',
  from_name: null,
  reply_to: null,
  kind: 'transactional',
  config_id: 'cfg_1',
  content: '<p>Hello</p>',
  design: null,
  context: {},
  recipient_list: ['a@example.com'],
  cc: [],
  bcc: [],
}
const replyAnswer = {
  id: '7',
  kind: 'reply',
  match: 'id',
  is_settled: false,
  from_address: 'ann@example.org',
  from_name: 'Ann',
  subject: 'Re: Hello',
  first_words: 'Yes',
  campaign_id: null,
  campaign_name: null,
  message_id: 'm1',
  contact_id: null,
  config_id: 'c1',
  received_at: '2025-08-14T09:45:00.000Z',
  is_read: false,
  is_answered: false,
  is_archived: false,
  returns_on: null,
  mailbox_address: 'studio@example.com',
  mailbox_link: null,
  text: 'Yes',
  is_verified: true,
  reason: null,
  sent: null,
  answer: null,
}
const imageAnswer = {
  id: 'i1',
  name: 'Pier',
  alt: '',
  url: 'https://a.example/i/k/600',
  widths: [600],
  width: 600,
  height: 400,
  created_at: '2025-08-14T09:45:00.000Z',
}
const checkAnswer = {
  id: 'c1',
  content_hash: 'ab',
  score: 100,
  parts: [],
  finished_at: '2025-08-14T09:45:00.000Z',
}
const trackingDomainAnswer = {
  id: 'td_1',
  host: 'links.example.com',
  state: 'pending',
  record: { type: 'CNAME', name: 'links.example.com', value: 'mail.example.org' },
  error: null,
  checked_at: null,
  failing_since: null,
  created_at: '2025-08-14T09:45:00.000Z',
}
/** Files are uploaded by XMLHttpRequest, which a page has. */
const uploading = () => ({ ...session(), transport: (url: string, request: RequestInit) => fetch(url, request) })
const savedBlockAnswer = { id: '7', name: 'Footer', block: {}, created_at: '2025-08-14T09:45:00.000Z' }

const consentGiven = {
  embed: 'pk_1',
  origin: 'https://a.example',
  code_challenge: 'c',
  code_challenge_method: 'S256',
} as const

let api: ApiServer
beforeAll(async () => {
  api = await startApi({
    signUp: { status: 201, json: { message: 'Check your email.' } },
    signIn: { json: { access_token: 'at_2', confirmed_email: true } },
    signOut: { status: 204 },
    exchangeSignInCode: { json: { access_token: 'at_2', confirmed_email: true } },
    requestPasswordReset: { json: { message: 'Sent.' } },
    updatePassword: { json: { message: 'Updated.' } },
    listSessions: { json: [] },
    revokeSession: { status: 204 },
    revokeOtherSessions: { status: 204 },
    getCurrentUser: { json: sampleUser() },
    confirmEmail: { json: { message: 'Confirmed.', error: null } },
    resendConfirmation: { json: { message: 'Sent.' } },
    acceptDocument: { status: 204 },
    addEmailConfig: { status: 201, json: sampleConfig() },
    listEmailConfigs: { json: [sampleConfig()] },
    deleteEmailConfig: { status: 204 },
    rejectReply: { status: 204 },
    unsubscribeReply: { status: 204 },
    deleteReply: { status: 204 },
    answerSandboxMessage: { status: 204 },
    listEmbeds: { json: [sampleEmbed()] },
    createEmbed: { status: 201, json: sampleEmbed() },
    getEmbed: { json: sampleEmbed() },
    updateEmbed: { json: sampleEmbed() },
    deleteEmbed: { status: 204 },
    listEmbedSessions: { json: [] },
    revokeEmbedSession: { status: 204 },
    revokeEmbedSessions: { status: 204 },
    listEmbedAudit: { json: [] },
    openEmbedSession: { status: 201, json: openedSession },
    getEmbedConsent: { json: sampleConsent() },
    giveEmbedConsent: { status: 201, json: { code: 'ec_1' } },
    exchangeEmbedCode: { json: openedSession },
    createEmailTemplate: { status: 201, json: sampleTemplate() },
    getEmailTemplates: { json: [sampleTemplate()] },
    getEmailTemplate: { json: sampleTemplate() },
    updateEmailTemplate: { json: sampleTemplate() },
    deleteEmailTemplate: { status: 204 },
    restoreEmailTemplate: { json: sampleTemplate() },
    deleteAllTemplates: { status: 204 },
    getTemplateVersions: { json: [] },
    restoreTemplateVersion: { json: sampleTemplate() },
    uploadImage: { status: 201, json: imageAnswer },
    listImages: { json: [] },
    updateImage: { json: imageAnswer },
    deleteImage: { status: 204 },
    uploadAttachment: { status: 201, json: { upload_id: 'u1', filename: 'a.txt', size: 2 } },
    startDeliverabilityCheck: { json: checkAnswer },
    startSelfTest: { json: { part: 'self_test', state: 'done', reason: null, findings: [] } },
    listBounces: { json: [] },
    listCampaignBounces: { json: [] },
    listSavedBlocks: { json: [] },
    createSavedBlock: { status: 201, json: savedBlockAnswer },
    getReply: { json: replyAnswer },
    listReplies: { json: [] },
    startReadingConsent: { json: { url: 'https://login.example.com/' } },
    watchReplyCounts: { text: 'event: replies\ndata: {}\n\n', headers: { 'Content-Type': 'text/event-stream' } },
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
    updateReply: { json: replyAnswer },
    confirmReply: { json: replyAnswer },
    answerReply: { json: replyAnswer },
    deleteSavedBlock: { status: 204 },
    listEmailCampaigns: { json: [sampleCampaign()] },
    createEmailCampaign: { status: 201, json: sampleCampaign() },
    deleteEmailCampaign: { status: 204 },
    addCampaignRecipients: { json: { added: 1, suppressed: 0, duplicates: 0, refused: 0, refusals: [] } },
    ...Object.fromEntries(
      ['get', 'update', 'launch', 'pause', 'resume', 'cancel', 'undo'].map((verb) => [
        `${verb}EmailCampaign`,
        { json: sampleCampaign() },
      ]),
    ),
    retryEmailCampaign: { json: { ...sampleCampaign(), message: 'Sent.', resent: 1, suppressed: 0 } },
    duplicateEmailCampaign: { status: 201, json: sampleCampaign() },
    estimateEmailCampaign: { json: { count: 1, suppressed: 0, finishes_at: null, problems: [] } },
    listScheduledMessages: { json: [scheduledMessageAnswer] },
    getScheduledMessage: { json: scheduledMessageAnswer },
    updateScheduledMessage: { json: scheduledMessageAnswer },
    cancelMessage: { json: { cancelled: 1 } },
    undoMessage: { json: { cancelled: 1 } },
    previewMail: { json: { subject: 'Hi', html: 'Hello\r\n', text: 'Hello' } },
    sendTestMail: { json: { message: 'Email sent successfully to 1 recipient', id: 'msg_1' } },
    testEmailCampaign: { json: { message: 'Email sent successfully to 1 recipient', id: 'msg_1' } },
    watchEmailCampaign: {
      text: `event: progress\ndata: ${JSON.stringify(progress)}\n\n:\n\nevent: progress\ndata: ${JSON.stringify(progress)}\n\n`,
      headers: { 'Content-Type': 'text/event-stream' },
    },
    listSuppressions: { json: [] },
    addSuppressions: { json: { added: 1 } },
    deleteSuppression: { status: 204 },
    importSuppressions: { json: { added: 1, known: 0, refused: 0, refusals: [] } },
    exportSuppressions: { text: 'email,reason\r\n', headers: { 'Content-Type': 'text/csv' } },
    getDraft: { json: { ...sampleVersion, replaced: [] } },
    saveDraft: { json: { revision: 1, updated_at: sampleVersion.updated_at, replaced: null } },
    deleteDraft: { status: 204 },
    getWorkspace: { json: sampleWorkspace },
    updateWorkspace: { json: sampleWorkspace },
    sendMailWithKey: { json: accepted },
    sendMailWithKeyApi: { json: accepted },
    getMessage: { json: sampleMessage({ 'a@example.com': 'sent' }) },
    watchMessage: {
      text: `event: progress\ndata: ${JSON.stringify(sampleMessage({ 'a@example.com': 'sent' }))}\n\n`,
      headers: { 'Content-Type': 'text/event-stream' },
    },
    getCampaignReport: { json: sampleReport },
    listTrackingDomains: { json: [trackingDomainAnswer] },
    createTrackingDomain: { status: 201, json: trackingDomainAnswer },
    checkTrackingDomain: { json: trackingDomainAnswer },
    deleteTrackingDomain: { status: 204 },
    watchCampaignReport: {
      text: `event: report\ndata: ${JSON.stringify(sampleReport)}\n\n`,
      headers: { 'Content-Type': 'text/event-stream' },
    },
    watchStatistics: { text: 'event: statistics\ndata: []\n\n', headers: { 'Content-Type': 'text/event-stream' } },
    getCampaignRecipient: { json: sampleRecipientView },
    resendEmailCampaign: { status: 201, json: sampleCampaign() },
    retryMessage: { json: { message: 'Sent.', resent: 1, suppressed: 0 } },
    listCampaignRecipients: { json: [] },
    exportCampaignRecipients: { text: 'email,state\r\n', headers: { 'Content-Type': 'text/csv' } },
    listSandboxMessages: { json: [sampleSandboxMessage()] },
  })
})
afterAll(() => api.close())
beforeEach(() => {
  api.received.length = 0
})

const accepted = { message: 'Email sent successfully to 1 recipients', id: 'msg_1', accepted: 1, suppressed: 0 }
const progress = { status: 'sending', counts: campaignCounts({ sent: 1 }), finishes_at: null } as const
const noAct = { people: 0, events: 0, machines: 0, probable: 0 }
const sampleReport = {
  tracking: 'off',
  sent: 2,
  delivered: 1,
  opened: noAct,
  clicked: noAct,
  replied: 0,
  auto_replied: 0,
  bounced: 1,
  complained: 0,
  unsubscribed: 0,
  bounces: [{ reason: 'user_unknown', people: 1 }],
  hours: [],
  domains: [],
  mailboxes: [],
  links: [],
  updated_at: '2025-08-14T09:30:00.000Z',
}
const sampleRecipientView = {
  id: '7',
  recipient: 'a@example.com',
  state: 'sent',
  attempts: 1,
  reply: '250 OK',
  next_attempt_at: null,
  settled_at: '2025-08-14T09:30:00.000Z',
  config_id: 'cfg_1',
  mailbox: 'shop@example.com',
  opened_at: null,
  clicked_at: null,
  replied_at: null,
  bounced_at: null,
  timeline: [],
  content: { subject: 'Hello', html: '<p>Hello</p>', text: 'Hello', headers: [] },
}
const sampleWorkspace = {
  id: 'ws_1',
  name: 'Northwind',
  postal_address: null,
  tracking: 'off',
  api_tracking: 'off',
  events_keep_months: 13,
}
const sampleVersion = { revision: 1, content: { subject: 'Hello' }, updated_at: '2025-08-14T09:30:00.000Z' }
const session = (): Session => ({ apiBase: api.url, token: () => 'at_1', shared: new Map() })
const mail = {
  subject: 'Hello',
  content: '<p>{{name}}</p>',
  recipient_list: ['a@example.com'],
  context: { name: 'Ada' },
}
async function gather<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}
const person = {
  first_name: 'Ada',
  last_name: 'North',
  email: 'ada@example.com',
  password: 'secret',
  referral_source: 'Twitter',
} as const
const newCampaign = { subject: 'Hello', body: '<p>Hi</p>', config_id: 'cfg_1', recipients: ['a@example.com'] }
const newTemplate = { subject: 'Hello {{name}}', body: '<p>Hi</p>', context: ['name'] }
const mailbox = { email_address: 'a@example.com', provider: 'gmail', app_password: 'secret' } as const

describe('an operation of the client', () => {
  const cases: [title: string, run: () => Promise<unknown>, line: string, body: unknown][] = [
    ['signUp calls POST /auth/', () => account.signUp(session(), person), 'POST /auth/', person],
    [
      'LOGIN-11 signIn calls POST /auth/login with the email in lower case',
      () => account.signIn(session(), { email: 'ADA@Example.com', password: 'Secret' }),
      'POST /auth/login',
      { email: 'ada@example.com', password: 'Secret' },
    ],
    ['signOut calls POST /auth/logout', () => account.signOut(session()), 'POST /auth/logout', undefined],
    [
      'API-ACCOUNT-06 getCurrentUser calls GET /auth/user without a payload',
      () => account.getCurrentUser(session()),
      'GET /auth/user',
      undefined,
    ],
    [
      'API-ACCOUNT-12 confirmEmail calls GET /auth/confirm-email/{confirmation_token} without a payload',
      () => account.confirmEmail(session(), 'cf/1'),
      'GET /auth/confirm-email/cf%2F1',
      undefined,
    ],
    [
      'API-ACCOUNT-15 resendConfirmation calls POST /email/resend-confirmation without a body',
      () => account.resendConfirmation(session()),
      'POST /email/resend-confirmation',
      undefined,
    ],
    [
      'acceptDocument calls POST /auth/acceptances',
      () => account.acceptDocument(session(), { document: 'terms', date: '2025-08-14' }),
      'POST /auth/acceptances',
      { document: 'terms', date: '2025-08-14' },
    ],
    [
      'exchangeSignInCode calls POST /auth/exchange',
      () => account.exchangeSignInCode(session(), 'sc_1'),
      'POST /auth/exchange',
      { token: 'sc_1' },
    ],
    [
      'API-ACCOUNT-08 API-ACCOUNT-09 API-ACCOUNT-10 requestPasswordReset calls GET /auth/reset-password/{value}, the value URL-encoded, without a payload',
      () => account.requestPasswordReset(session(), 'ada+1@example.com/%'),
      'GET /auth/reset-password/ada%2B1%40example.com%2F%25',
      undefined,
    ],
    [
      'API-ACCOUNT-11 updatePassword calls POST /auth/update-password with new_password and token',
      () => account.updatePassword(session(), { new_password: 'correct horse', token: 'rp_1' }),
      'POST /auth/update-password',
      { new_password: 'correct horse', token: 'rp_1' },
    ],
    [
      'listSessions calls GET /auth/sessions',
      () => sessions.listSessions(session(), { limit: 10 }),
      'GET /auth/sessions?limit=10',
      undefined,
    ],
    [
      'revokeSession calls DELETE /auth/sessions/{id}',
      () => sessions.revokeSession(session(), 'ses_1'),
      'DELETE /auth/sessions/ses_1',
      undefined,
    ],
    [
      'revokeOtherSessions calls DELETE /auth/sessions',
      () => sessions.revokeOtherSessions(session()),
      'DELETE /auth/sessions',
      undefined,
    ],
    [
      'API-EMAIL-25 addEmailConfig calls POST /email/config',
      () => config.addEmailConfig(session(), mailbox),
      'POST /email/config',
      mailbox,
    ],
    [
      'API-EMAIL-26 listEmailConfigs calls GET /email/configs',
      () => config.listEmailConfigs(session()),
      'GET /email/configs',
      undefined,
    ],
    [
      'API-EMAIL-27 deleteEmailConfig calls DELETE /email/configs/{id}',
      () => config.deleteEmailConfig(session(), 'cfg_1'),
      'DELETE /email/configs/cfg_1',
      undefined,
    ],
    [
      'API-EMAIL-37 sendMailWithKey calls POST /email/send-mail/{secret_key}',
      () => message.sendMailWithKey(session(), 'ck_1', mail),
      'POST /email/send-mail/ck_1',
      mail,
    ],
    [
      'API-EMAIL-38 sendMailWithKeyApi calls POST /api/send-mail/{secret_key}',
      () => message.sendMailWithKeyApi(session(), 'ck_1', { ...mail, is_html: true }, { template_key: 'tpl_1' }),
      'POST /api/send-mail/ck_1?template_key=tpl_1',
      { ...mail, is_html: true },
    ],
    [
      'API-EMAIL-31 createEmailTemplate calls POST /email/template',
      () => template.createEmailTemplate(session(), newTemplate),
      'POST /email/template',
      newTemplate,
    ],
    [
      'API-EMAIL-32 getEmailTemplates calls GET /email/templates',
      () => template.getEmailTemplates(session(), { limit: 500, offset: 500 }),
      'GET /email/templates?limit=500&offset=500',
      undefined,
    ],
    [
      'API-EMAIL-33 getEmailTemplate calls GET /email/template/{id}',
      () => template.getEmailTemplate(session(), 'tpl_1'),
      'GET /email/template/tpl_1',
      undefined,
    ],
    [
      'API-EMAIL-34 updateEmailTemplate calls PATCH /email/template/{id}',
      () => template.updateEmailTemplate(session(), 'tpl_1', { subject: 'Hello' }),
      'PATCH /email/template/tpl_1',
      { subject: 'Hello' },
    ],
    [
      'API-EMAIL-35 deleteEmailTemplate calls DELETE /email/template/{id}',
      () => template.deleteEmailTemplate(session(), 'tpl_1'),
      'DELETE /email/template/tpl_1',
      undefined,
    ],
    [
      'restoreEmailTemplate calls POST /email/template/{id}/restore',
      () => template.restoreEmailTemplate(session(), 'tpl_1'),
      'POST /email/template/tpl_1/restore',
      undefined,
    ],
    [
      'getTemplateVersions calls GET /email/template/{id}/versions',
      () => template.getTemplateVersions(session(), 'tpl_1'),
      'GET /email/template/tpl_1/versions',
      undefined,
    ],
    [
      'restoreTemplateVersion calls POST /email/template/{id}/versions/{revision}/restore',
      () => template.restoreTemplateVersion(session(), 'tpl_1', 3),
      'POST /email/template/tpl_1/versions/3/restore',
      undefined,
    ],
    [
      'uploadImage calls POST /email/images',
      () => image.uploadImage(uploading(), new Blob(['x']), 'Pier'),
      'POST /email/images?name=Pier',
      undefined,
    ],
    [
      'listImages calls GET /email/images',
      () => image.listImages(session(), { search: 'pier' }),
      'GET /email/images?search=pier',
      undefined,
    ],
    [
      'updateImage calls PATCH /email/images/{id}',
      () => image.updateImage(session(), 'i1', { alt: 'A pier' }),
      'PATCH /email/images/i1',
      { alt: 'A pier' },
    ],
    [
      'deleteImage calls DELETE /email/images/{id}',
      () => image.deleteImage(session(), { id: 'i1', isFromWeb: true }),
      'DELETE /email/images/i1?from_web=true',
      undefined,
    ],
    [
      'uploadAttachment calls POST /email/attachments',
      () => attachment.uploadAttachment(uploading(), new Blob(['x']), 'a.txt'),
      'POST /email/attachments?filename=a.txt',
      undefined,
    ],
    [
      'startDeliverabilityCheck calls POST /email/deliverability',
      () => deliverability.startDeliverabilityCheck(session(), { config_id: 'c1', subject: 'Hi', body: '<p>Hi</p>' }),
      'POST /email/deliverability',
      { config_id: 'c1', subject: 'Hi', body: '<p>Hi</p>' },
    ],
    [
      'startSelfTest calls POST /email/deliverability/self-test',
      () => deliverability.startSelfTest(session(), { config_id: 'c1', subject: 'Hi', body: '<p>Hi</p>' }),
      'POST /email/deliverability/self-test',
      { config_id: 'c1', subject: 'Hi', body: '<p>Hi</p>' },
    ],
    [
      'listSavedBlocks calls GET /email/blocks',
      () => savedBlock.listSavedBlocks(session()),
      'GET /email/blocks',
      undefined,
    ],
    [
      'createSavedBlock calls POST /email/blocks',
      () => savedBlock.createSavedBlock(session(), { name: 'Footer', block: {} }),
      'POST /email/blocks',
      { name: 'Footer', block: {} },
    ],
    [
      'deleteSavedBlock calls DELETE /email/blocks/{id}',
      () => savedBlock.deleteSavedBlock(session(), '7'),
      'DELETE /email/blocks/7',
      undefined,
    ],
    [
      'API-EMAIL-36 deleteAllTemplates calls DELETE /email/templates',
      () => template.deleteAllTemplates(session()),
      'DELETE /email/templates',
      undefined,
    ],
    [
      'getMessage calls GET /email/messages/{id}',
      () => message.getMessage(session(), 'msg_1', { limit: 500 }),
      'GET /email/messages/msg_1?limit=500',
      undefined,
    ],
    [
      'getReading calls GET /email/configs/{id}/reading',
      () => reading.getReading(session(), 'c1'),
      'GET /email/configs/c1/reading',
      undefined,
    ],
    [
      'startReadingConsent calls POST /email/configs/{id}/reading/consent',
      () => reading.startReadingConsent(session(), 'c1'),
      'POST /email/configs/c1/reading/consent',
      undefined,
    ],
    [
      'listBounces calls GET /email/messages/{id}/bounces',
      () => bounce.listBounces(session(), 'm1'),
      'GET /email/messages/m1/bounces',
      undefined,
    ],
    [
      'listCampaignBounces calls GET /email/campaigns/{id}/recipients/{delivery_id}/bounces',
      () => bounce.listCampaignBounces(session(), { id: 'c1', deliveryId: '7' }),
      'GET /email/campaigns/c1/recipients/7/bounces',
      undefined,
    ],
    [
      'listReplies calls GET /email/replies',
      () => reply.listReplies(session(), { view: 'new' }),
      'GET /email/replies?view=new',
      undefined,
    ],
    [
      'countUnreadReplies calls GET /email/replies/unread',
      () => reply.countUnreadReplies(session()),
      'GET /email/replies/unread',
      undefined,
    ],
    [
      'watchReplyCounts calls GET /email/replies/unread/events',
      () => gather(reply.watchReplyCounts(session())),
      'GET /email/replies/unread/events',
      undefined,
    ],
    ['getReply calls GET /email/replies/{id}', () => reply.getReply(session(), '7'), 'GET /email/replies/7', undefined],
    [
      'updateReply calls PATCH /email/replies/{id}',
      () => reply.updateReply(session(), '7', { is_read: true }),
      'PATCH /email/replies/7',
      { is_read: true },
    ],
    [
      'confirmReply calls POST /email/replies/{id}/confirm',
      () => reply.confirmReply(session(), '7'),
      'POST /email/replies/7/confirm',
      undefined,
    ],
    [
      'rejectReply calls POST /email/replies/{id}/not-a-reply',
      () => reply.rejectReply(session(), '7'),
      'POST /email/replies/7/not-a-reply',
      undefined,
    ],
    [
      'unsubscribeReply calls POST /email/replies/{id}/unsubscribe',
      () => reply.unsubscribeReply(session(), '7'),
      'POST /email/replies/7/unsubscribe',
      undefined,
    ],
    [
      'answerReply calls POST /email/replies/{id}/answer',
      () => reply.answerReply(session(), '7', { text: 'Yes' }),
      'POST /email/replies/7/answer',
      { text: 'Yes' },
    ],
    [
      'deleteReply calls DELETE /email/replies/{id}',
      () => reply.deleteReply(session(), '7'),
      'DELETE /email/replies/7',
      undefined,
    ],
    [
      'answerSandboxMessage calls POST /sandbox/messages/{id}/answer',
      () => sandbox.answerSandboxMessage(session(), 'sbx_1', 'bounce'),
      'POST /sandbox/messages/sbx_1/answer',
      { kind: 'bounce' },
    ],
    [
      'listSandboxMessages calls GET /sandbox/messages',
      () => sandbox.listSandboxMessages(session(), { to: 'a@example.com', limit: 5 }),
      'GET /sandbox/messages?to=a%40example.com&limit=5',
      undefined,
    ],
    [
      'API-EMAIL-28 listEmailCampaigns calls GET /email/campaign',
      () => campaign.listEmailCampaigns(session()),
      'GET /email/campaign',
      undefined,
    ],
    [
      'API-EMAIL-29 createEmailCampaign calls POST /email/campaign',
      () => campaign.createEmailCampaign(session(), newCampaign),
      'POST /email/campaign',
      newCampaign,
    ],
    [
      'API-EMAIL-30 deleteEmailCampaign calls DELETE /email/campaign/{id}',
      () => campaign.deleteEmailCampaign(session(), 'cmp_1'),
      'DELETE /email/campaign/cmp_1',
      undefined,
    ],
    [
      'getEmailCampaign calls GET /email/campaign/{id}',
      () => campaign.getEmailCampaign(session(), 'cmp_1'),
      'GET /email/campaign/cmp_1',
      undefined,
    ],
    [
      'updateEmailCampaign calls PATCH /email/campaign/{id}',
      () => campaign.updateEmailCampaign(session(), 'cmp_1', { name: 'Winter show' }),
      'PATCH /email/campaign/cmp_1',
      { name: 'Winter show' },
    ],
    [
      'addCampaignRecipients calls POST /email/campaign/{id}/recipients',
      () => campaign.addCampaignRecipients(session(), 'cmp_1', '"a@example.com"'),
      'POST /email/campaign/cmp_1/recipients',
      'a@example.com',
    ],
    [
      'listCampaignRecipients calls GET /email/campaign/{id}/recipients',
      () => campaign.listCampaignRecipients(session(), 'cmp_1', { state: 'failed', search: 'ann' }),
      'GET /email/campaign/cmp_1/recipients?state=failed&search=ann',
      undefined,
    ],
    [
      'exportCampaignRecipients calls GET /email/campaign/{id}/recipients/export',
      () => campaign.exportCampaignRecipients(session(), 'cmp_1', { state: 'failed' }),
      'GET /email/campaign/cmp_1/recipients/export?state=failed',
      undefined,
    ],
    [
      'watchMessage calls GET /email/messages/{id}/events',
      () => gather(message.watchMessage(session(), 'msg_1')),
      'GET /email/messages/msg_1/events',
      undefined,
    ],
    [
      'listTrackingDomains calls GET /email/tracking-domains',
      () => trackingDomain.listTrackingDomains(session()),
      'GET /email/tracking-domains',
      undefined,
    ],
    [
      'createTrackingDomain calls POST /email/tracking-domains',
      () => trackingDomain.createTrackingDomain(session(), { host: 'links.example.com' }),
      'POST /email/tracking-domains',
      { host: 'links.example.com' },
    ],
    [
      'checkTrackingDomain calls POST /email/tracking-domains/{id}/check',
      () => trackingDomain.checkTrackingDomain(session(), 'td_1'),
      'POST /email/tracking-domains/td_1/check',
      undefined,
    ],
    [
      'deleteTrackingDomain calls DELETE /email/tracking-domains/{id}',
      () => trackingDomain.deleteTrackingDomain(session(), 'td_1'),
      'DELETE /email/tracking-domains/td_1',
      undefined,
    ],
    [
      'getCampaignReport calls GET /email/campaign/{id}/report',
      () => report.getCampaignReport(session(), 'cmp_1'),
      'GET /email/campaign/cmp_1/report',
      undefined,
    ],
    [
      'watchCampaignReport calls GET /email/campaign/{id}/report/events',
      () => gather(report.watchCampaignReport(session(), 'cmp_1')),
      'GET /email/campaign/cmp_1/report/events',
      undefined,
    ],
    [
      'watchStatistics calls GET /email/statistics/events',
      () => gather(statistics.watchStatistics(session(), { days: 60 })),
      'GET /email/statistics/events?days=60',
      undefined,
    ],
    [
      'getCampaignRecipient calls GET /email/campaign/{id}/recipients/{delivery_id}',
      () => report.getCampaignRecipient(session(), { id: 'cmp_1', deliveryId: '7' }),
      'GET /email/campaign/cmp_1/recipients/7',
      undefined,
    ],
    [
      'resendEmailCampaign calls POST /email/campaign/{id}/resend',
      () => report.resendEmailCampaign(session(), 'cmp_1', { to: 'not_opened', subject: 'Again' }),
      'POST /email/campaign/cmp_1/resend',
      { to: 'not_opened', subject: 'Again' },
    ],
    [
      'retryMessage calls POST /email/messages/{id}/retry',
      () => message.retryMessage(session(), 'msg_1'),
      'POST /email/messages/msg_1/retry',
      undefined,
    ],
    [
      'launchEmailCampaign calls POST /email/campaign/{id}/launch',
      () => campaign.launchEmailCampaign(session(), 'cmp_1'),
      'POST /email/campaign/cmp_1/launch',
      {},
    ],
    [
      'undoEmailCampaign calls POST /email/campaign/{id}/undo',
      () => campaign.undoEmailCampaign(session(), 'cmp_1'),
      'POST /email/campaign/cmp_1/undo',
      undefined,
    ],
    [
      'duplicateEmailCampaign calls POST /email/campaign/{id}/duplicate',
      () => campaign.duplicateEmailCampaign(session(), 'cmp_1'),
      'POST /email/campaign/cmp_1/duplicate',
      undefined,
    ],
    [
      'estimateEmailCampaign calls POST /email/campaign/estimate',
      () => campaign.estimateEmailCampaign(session(), { config_ids: ['cfg_1'] }),
      'POST /email/campaign/estimate',
      { config_ids: ['cfg_1'] },
    ],
    [
      'listScheduledMessages calls GET /email/messages/scheduled',
      () => scheduledMessage.listScheduledMessages(session()),
      'GET /email/messages/scheduled',
      undefined,
    ],
    [
      'getScheduledMessage calls GET /email/messages/scheduled/{id}',
      () => scheduledMessage.getScheduledMessage(session(), 'msg_1'),
      'GET /email/messages/scheduled/msg_1',
      undefined,
    ],
    [
      'updateScheduledMessage calls PATCH /email/messages/{id}',
      () => scheduledMessage.updateScheduledMessage(session(), 'msg_1', { subject: 'New' }),
      'PATCH /email/messages/msg_1',
      { subject: 'New' },
    ],
    [
      'cancelMessage calls POST /email/messages/{id}/cancel',
      () => scheduledMessage.cancelMessage(session(), 'msg_1'),
      'POST /email/messages/msg_1/cancel',
      undefined,
    ],
    [
      'undoMessage calls POST /email/messages/{id}/undo',
      () => scheduledMessage.undoMessage(session(), 'msg_1'),
      'POST /email/messages/msg_1/undo',
      undefined,
    ],
    [
      'previewMail calls POST /email/preview-mail',
      () => scheduledMessage.previewMail(session(), { subject: 'Hi', content: 'Hello' }),
      'POST /email/preview-mail',
      { subject: 'Hi', content: 'Hello' },
    ],
    [
      'sendTestMail calls POST /email/send-test',
      () =>
        scheduledMessage.sendTestMail(session(), {
          config_id: 'cfg_1',
          to: ['a@example.com'],
          subject: 'Hi',
          content: 'Hello',
        }),
      'POST /email/send-test',
      { config_id: 'cfg_1', to: ['a@example.com'], subject: 'Hi', content: 'Hello' },
    ],
    [
      'pauseEmailCampaign calls POST /email/campaign/{id}/pause',
      () => campaign.pauseEmailCampaign(session(), 'cmp_1'),
      'POST /email/campaign/cmp_1/pause',
      undefined,
    ],
    [
      'resumeEmailCampaign calls POST /email/campaign/{id}/resume',
      () => campaign.resumeEmailCampaign(session(), 'cmp_1'),
      'POST /email/campaign/cmp_1/resume',
      undefined,
    ],
    [
      'cancelEmailCampaign calls POST /email/campaign/{id}/cancel',
      () => campaign.cancelEmailCampaign(session(), 'cmp_1'),
      'POST /email/campaign/cmp_1/cancel',
      undefined,
    ],
    [
      'retryEmailCampaign calls POST /email/campaign/{id}/retry',
      () => campaign.retryEmailCampaign(session(), 'cmp_1'),
      'POST /email/campaign/cmp_1/retry',
      undefined,
    ],
    [
      'testEmailCampaign calls POST /email/campaign/{id}/test',
      () => campaign.testEmailCampaign(session(), 'cmp_1', { recipient_list: ['a@example.com'] }),
      'POST /email/campaign/cmp_1/test',
      { recipient_list: ['a@example.com'] },
    ],
    [
      'watchEmailCampaign calls GET /email/campaign/{id}/events',
      () => gather(campaign.watchEmailCampaign(session(), 'cmp_1')),
      'GET /email/campaign/cmp_1/events',
      undefined,
    ],
    [
      'listSuppressions calls GET /email/suppressions',
      () => suppression.listSuppressions(session(), { reason: 'bounced' }),
      'GET /email/suppressions?reason=bounced',
      undefined,
    ],
    [
      'addSuppressions calls POST /email/suppressions',
      () => suppression.addSuppressions(session(), { emails: ['a@example.com'] }),
      'POST /email/suppressions',
      { emails: ['a@example.com'] },
    ],
    [
      'deleteSuppression calls DELETE /email/suppressions/{id}',
      () => suppression.deleteSuppression(session(), 'sup_1', { consented: true }),
      'DELETE /email/suppressions/sup_1?consented=true',
      undefined,
    ],
    [
      'importSuppressions calls POST /email/suppressions/import',
      () => suppression.importSuppressions(session(), 'email\r\na@example.com\r\n'),
      'POST /email/suppressions/import',
      undefined,
    ],
    [
      'exportSuppressions calls GET /email/suppressions/export',
      () => suppression.exportSuppressions(session()),
      'GET /email/suppressions/export',
      undefined,
    ],
    ['getDraft calls GET /drafts/{kind}', () => draft.getDraft(session(), 'compose'), 'GET /drafts/compose', undefined],
    [
      'saveDraft calls PUT /drafts/{kind}',
      () => draft.saveDraft(session(), 'compose', { content: { subject: 'Hello' }, base_revision: 0 }),
      'PUT /drafts/compose',
      { content: { subject: 'Hello' }, base_revision: 0 },
    ],
    [
      'deleteDraft calls DELETE /drafts/{kind}',
      () => draft.deleteDraft(session(), 'compose', { revision: 3 }),
      'DELETE /drafts/compose?revision=3',
      undefined,
    ],
    ['getWorkspace calls GET /workspace', () => workspace.getWorkspace(session()), 'GET /workspace', undefined],
    [
      'updateWorkspace calls PATCH /workspace',
      () => workspace.updateWorkspace(session(), { postal_address: 'Main Street 1' }),
      'PATCH /workspace',
      { postal_address: 'Main Street 1' },
    ],
    ['listEmbeds calls GET /embeds', () => embed.listEmbeds(session()), 'GET /embeds', undefined],
    [
      'createEmbed calls POST /embeds',
      () => embed.createEmbed(session(), { name: 'Admin', allowed_origins: [], widgets: ['compose'] }),
      'POST /embeds',
      { name: 'Admin', allowed_origins: [], widgets: ['compose'] },
    ],
    ['getEmbed calls GET /embeds/{id}', () => embed.getEmbed(session(), 'pk_1'), 'GET /embeds/pk_1', undefined],
    [
      'updateEmbed calls PATCH /embeds/{id}',
      () => embed.updateEmbed(session(), 'pk_1', { status: 'paused' }),
      'PATCH /embeds/pk_1',
      { status: 'paused' },
    ],
    [
      'deleteEmbed calls DELETE /embeds/{id}',
      () => embed.deleteEmbed(session(), 'pk_1'),
      'DELETE /embeds/pk_1',
      undefined,
    ],
    [
      'listEmbedSessions calls GET /embeds/{id}/sessions',
      () => embed.listEmbedSessions(session(), 'pk_1', { status: 'active' }),
      'GET /embeds/pk_1/sessions?status=active',
      undefined,
    ],
    [
      'revokeEmbedSession calls DELETE /embeds/{id}/sessions/{session_id}',
      () => embed.revokeEmbedSession(session(), 'pk_1', 'one'),
      'DELETE /embeds/pk_1/sessions/one',
      undefined,
    ],
    [
      'revokeEmbedSessions calls DELETE /embeds/{id}/sessions',
      () => embed.revokeEmbedSessions(session(), 'pk_1'),
      'DELETE /embeds/pk_1/sessions',
      undefined,
    ],
    [
      'listEmbedAudit calls GET /embeds/{id}/audit',
      () => embed.listEmbedAudit(session(), 'pk_1', { limit: 5 }),
      'GET /embeds/pk_1/audit?limit=5',
      undefined,
    ],
    [
      'openEmbedSession calls POST /embed/sessions',
      () => embedSession.openEmbedSession(session(), { embed_id: 'pk_1', origin: 'https://a.example' }),
      'POST /embed/sessions',
      { embed_id: 'pk_1', origin: 'https://a.example' },
    ],
    [
      'getEmbedConsent calls GET /embed/consent',
      () => embedSession.getEmbedConsent(session(), { embed: 'pk_1', origin: 'https://a.example' }),
      'GET /embed/consent?embed=pk_1&origin=https%3A%2F%2Fa.example',
      undefined,
    ],
    [
      'giveEmbedConsent calls POST /embed/consent',
      () => embedSession.giveEmbedConsent(session(), consentGiven),
      'POST /embed/consent',
      consentGiven,
    ],
    [
      'exchangeEmbedCode calls POST /embed/token',
      () => embedSession.exchangeEmbedCode(session(), { embed_id: 'pk_1', code: 'ec_1', code_verifier: 'v' }),
      'POST /embed/token',
      { embed_id: 'pk_1', code: 'ec_1', code_verifier: 'v' },
    ],
  ]

  it.each(cases)('%s', async (_title, run, line, body) => {
    await run()
    const [got] = api.received
    const query = got?.query.size ? `?${got.query.toString()}` : ''
    expect(`${got?.method ?? ''} ${got?.path ?? ''}${query}`).toBe(line)
    expect(got?.body).toEqual(body)
  })

  it('exists for each operation that names no other caller, with the same name', () => {
    const client = {
      ...attachment,
      ...deliverability,
      ...bounce,
      ...image,
      ...account,
      ...campaign,
      ...campaignAudience,
      ...config,
      ...configOwner,
      ...contact,
      ...contactAction,
      ...contactField,
      ...contactImport,
      ...draft,
      ...embed,
      ...embedSession,
      ...hosted,
      ...list,
      ...message,
      ...profile,
      ...reading,
      ...reply,
      ...sandbox,
      ...savedBlock,
      ...scheduledMessage,
      ...segment,
      ...sessions,
      ...report,
      ...statistics,
      ...suppression,
      ...template,
      ...trackingDomain,
      ...workspace,
    }
    const named = Object.keys(client).sort()
    const called = operations.filter(({ caller }) => caller === undefined)
    expect(named).toEqual(called.map((operation) => operation.name).sort())
  })
})

it('API-ACCOUNT-07 getCurrentUser returns the raw response, with any status', async () => {
  const answer = await account.getCurrentUser(session())
  expect(answer).toBeInstanceOf(Response)
  expect(await answer.json()).toEqual(sampleUser())
})

it('GOOGLE-03 Google sign-in is at GET /auth/login-google, at the API base address', () => {
  expect(googleSignInAddress({ ...session(), apiBase: 'https://api.example.com/' })).toBe(
    'https://api.example.com/auth/login-google',
  )
  const { method, path } = operations.find(({ name }) => name === 'startGoogleSignIn')!
  expect(`${method} ${path}`).toBe('GET /auth/login-google')
})

it('API-ACCOUNT-14 resendConfirmation is sent with JSON content type', async () => {
  await account.resendConfirmation(session())
  expect(api.received[0]?.headers['content-type']).toBe('application/json')
  expect(api.received[0]?.text).toBe('')
})

it('API-EMAIL-21 a send contains subject, content, recipient_list and context', async () => {
  await message.sendMailWithKey(session(), 'ck_1', mail)
  expect(Object.keys(api.received[0]?.body as object).sort()).toEqual([
    'content',
    'context',
    'recipient_list',
    'subject',
  ])
})

it('SIGNUP-16 the password is sent once: hashed_password is omitted', async () => {
  await account.signUp(session(), person)
  expect(api.received[0]?.body).not.toHaveProperty('hashed_password')
})

it('watchEmailCampaign returns the data of each event', async () => {
  expect(await gather(campaign.watchEmailCampaign(session(), 'cmp_1'))).toEqual([progress, progress])
})

it('a stream has the content type of its lines', async () => {
  await campaign.addCampaignRecipients(session(), 'cmp_1', 'email\r\n', 'text/csv')
  expect([api.received[0]?.headers['content-type'], api.received[0]?.text]).toEqual(['text/csv', 'email\r\n'])
})
