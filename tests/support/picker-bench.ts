import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Template } from '../../contract/mail/template.ts'
import {
  mountTemplatePicker,
  type PickedTemplate,
  type TemplatePickerMount,
} from '../../widgets/template-picker/template-picker-element.tsx'
import { startApi, type ApiServer } from './api-server.ts'
import { sampleGlobal, sampleTemplate } from './samples.ts'
import { collectToasts, openWidget, testSession, type WidgetPage } from './widget-page.ts'

/** The library of the bench. */
export const welcome = sampleGlobal('global-welcome', {
  name: 'Welcome',
  subject: 'Welcome to {{company}}',
  body: '<p>Hello {{name}}</p>',
  context: ['company', 'name'],
  sample: { company: 'Alder & Finch', name: 'Ada' },
})

/** A template picker in a simulated page, with a server of its own that responds as the contract describes. */
export interface PickerBench {
  readonly api: ApiServer
  readonly page: WidgetPage
  readonly toasts: ReturnType<typeof collectToasts>['toasts']
  /** Templates that were picked, and how often a dialog reported its end. */
  readonly picked: PickedTemplate[]
  readonly closedCount: number
  list(templates: Template[]): void
  open(options?: TemplatePickerMount['options']): void
  /** Opens it and waits for its cards. */
  ready(options?: TemplatePickerMount['options']): Promise<void>
  cards(): string[]
  /** Clicks a card, by a part of its text. */
  press(text: string): void
  /** Submits the create-template dialog. */
  submit(): void
  creates(): ApiServer['received']
}

/** Registers the hooks of a test file for the template picker. */
export function pickerBench(): PickerBench {
  let api: ApiServer
  let page: WidgetPage
  let toasts: ReturnType<typeof collectToasts>
  let picked: PickedTemplate[]
  let closedCount: number
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())
  beforeEach(() => {
    api.received.length = 0
    bench.list([
      sampleTemplate(),
      sampleTemplate({ id: 'tpl_2', key: 'invoice-2', subject: '', body: '<p>An invoice</p>', context: ['sum'] }),
    ])
    api.on('listDocuments', { json: [welcome], headers: { 'X-Total-Count': '1' } })
    api.on('createEmailTemplate', ({ body }) => ({
      status: 201,
      json: sampleTemplate({ ...(body as Template), id: 'tpl_new', key: 'new-1' }),
    }))
    toasts = collectToasts()
    picked = []
    closedCount = 0
  })
  afterEach(() => page.leave())

  const cardElements = () => [...page.root().querySelectorAll<HTMLButtonElement>('button.template-card')]
  const bench: PickerBench = {
    get api() {
      return api
    },
    get page() {
      return page
    },
    get toasts() {
      return toasts.toasts
    },
    get picked() {
      return picked
    },
    get closedCount() {
      return closedCount
    },
    list(templates) {
      api.on('getEmailTemplates', { json: templates, headers: { 'X-Total-Count': String(templates.length) } })
    },
    open(options = {}) {
      const session = testSession(api.url)
      page = openWidget((element) => {
        element.addEventListener('sendwright:template-picked', (event) =>
          picked.push((event as CustomEvent<PickedTemplate>).detail),
        )
        element.addEventListener('sendwright:closed', () => (closedCount += 1))
        return mountTemplatePicker(element, {
          session,
          notify: toasts.notify,
          options: { hostedKey: 'hr_1', ...options },
        })
      })
    },
    async ready(options) {
      bench.open(options)
      await page.until(() => bench.cards().length > 0)
    },
    cards: () => cardElements().map((card) => card.textContent),
    press(text) {
      cardElements()
        .find((card) => card.textContent.includes(text))
        ?.click()
    },
    submit() {
      const submitted = new Event('submit', { bubbles: true, cancelable: true, composed: true })
      page.root().querySelector('form')?.dispatchEvent(submitted)
    },
    creates: () => api.received.filter(({ method, path }) => method === 'POST' && path === '/email/template'),
  }
  return bench
}
