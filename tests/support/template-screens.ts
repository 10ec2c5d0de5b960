import type { Browser } from 'playwright-core'
import type { Document } from '../../contract/hosted/hosted.ts'
import type { Template } from '../../contract/mail/template.ts'
import type { ApiServer } from './api-server.ts'
import type { OpenedPage } from './browser.ts'
import { openDashboard, type DashboardOptions } from './dashboard-page.ts'
import { signedInResponses } from './sample-answers.ts'
import { sampleGlobal, sampleTemplate } from './samples.ts'

/** The templates of the screens' tests, newest first. */
export const ownTemplates: Template[] = [
  sampleTemplate({
    id: 'tpl_3',
    key: 'your-invoice-77aa12bc',
    subject: 'Your invoice {{number}}',
    body: '<p>Dear customer, the sum is due.</p>',
    context: ['number'],
    created_at: '2025-09-02T09:30:00.000Z',
  }),
  sampleTemplate(),
]

/** The library of the screens' tests. */
export const globalTemplates: Document[] = [
  sampleGlobal('global-welcome', {
    name: 'Welcome',
    category: 'Account',
    description: 'The first letter after signing up.',
    subject: 'Welcome to {{company}}',
    body: '<h1>Hello, {{name}}</h1>',
    context: ['company', 'name'],
    sample: { company: 'Alder & Finch', name: 'Imani' },
  }),
  sampleGlobal('global-sale', {
    name: 'Sale',
    category: 'Promotions',
    description: 'Half price for a week.',
    subject: 'Half price',
    body: '<p>Everything must go.</p>',
    context: [],
  }),
]

/** Responses of a stand-in that stores only created templates, for every call of the template screens. Set them again before each test. */
export function setTemplateResponses(site: ApiServer, own = ownTemplates, library = globalTemplates): void {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  const kept = [...own]
  site.on('getEmailTemplates', () => ({ json: kept, headers: { 'X-Total-Count': String(kept.length) } }))
  site.on('listDocuments', { json: library, headers: { 'X-Total-Count': String(library.length) } })
  site.on('getEmailTemplate', ({ params }) => {
    const found = own.find(({ id }) => id === params['id'])
    return found === undefined ? { status: 404, json: { detail: 'Unknown.' } } : { json: found }
  })
  site.on('createEmailTemplate', ({ body }) => {
    const created = sampleTemplate({ ...(body as Template), id: 'tpl_new', key: 'new-1' })
    kept.unshift(created)
    return { status: 201, json: created }
  })
  site.on('updateEmailTemplate', ({ params, body }) => ({
    json: sampleTemplate({ ...own.find(({ id }) => id === params['id']), ...(body as Template) }),
  }))
  site.on('deleteEmailTemplate', { status: 204 })
  site.on('restoreEmailTemplate', ({ params }) => ({
    json: sampleTemplate({ ...own.find(({ id }) => id === params['id']) }),
  }))
}

/** Opens a template screen as a signed-in user. */
export function openTemplates(
  browser: Browser,
  site: ApiServer,
  path: string,
  options: DashboardOptions = {},
): Promise<OpenedPage> {
  return openDashboard(browser, site, { path, token: 'at_1', ...options })
}
