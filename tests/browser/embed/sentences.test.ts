import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { errors } from '../../../contract/core/errors.ts'
import { mailboxSentences } from '../../../contract/mail/mailbox-sentences.ts'
import { openPage } from '../../support/browser.ts'
import { embedBench, waitForState } from '../../support/embed-bench.ts'
import { cors, pageWith } from '../../support/embed-site.ts'
import { sampleConfig, sampleMessage, sampleUsage } from '../../support/samples.ts'

const bench = embedBench()
const list = (json: unknown[]) => ({ json, headers: { 'X-Total-Count': String(json.length), ...cors } })

async function open(widget: string, lang: string, attributes = '') {
  bench.embed.api.on('listDocuments', list([]))
  const element = `<div data-sendwright="${widget}" data-sendwright-lang="${lang}" ${attributes}></div>`
  bench.host.on('/', pageWith(bench.embed, element))
  const opened = await openPage(bench.browser, { allowFaults: /status of (4|5)/ })
  await opened.page.goto(bench.host.url)
  await waitForState(opened.page, 'ready')
  return opened
}
const change = (page: Page, lang: string) =>
  page.locator('[data-sendwright]').evaluate((one, value) => one.setAttribute('data-sendwright-lang', value), lang)

describe('server messages', () => {
  it('are shown in the widget’s language, after each language change, and in English again', async () => {
    bench.embed.api.on('getEmailTemplates', {
      status: 503,
      json: { detail: errors.unavailable.sentence },
      headers: cors,
    })
    await using opened = await open('template-picker', 'es')
    const { page } = opened
    await page.getByText('El servicio está arrancando o parando. Inténtelo de nuevo en un momento.').waitFor()
    await change(page, 'ar')
    await page.getByText('الخدمة قيد التشغيل أو الإيقاف. حاول مجددًا بعد لحظات.').waitFor()
    await change(page, 'en')
    await page.getByText(errors.unavailable.sentence).waitFor()
  })

  it('are shown with the original text of the mail server', async () => {
    bench.embed.api.on('listEmailConfigs', list([]))
    const detail = `${mailboxSentences.gmailPassword} The mail server said: “535 5.7.8 Username and Password not accepted”`
    bench.embed.api.on('addEmailConfig', { status: 400, json: { detail }, headers: cors })
    await using opened = await open('config-manager', 'es')
    const { page } = opened
    await page.getByLabel('Dirección de correo').fill('ann@gmail.com')
    await page.getByLabel('Contraseña de aplicación', { exact: true }).fill('abcd efgh ijkl mnop')
    await page.getByRole('button', { name: 'Añadir configuración' }).click()
    await page
      .getByText(/^Gmail ha rechazado.* El servidor de correo dijo: «535 5.7.8 Username and Password not accepted»$/)
      .waitFor()
  })

  it('stay unchanged when the message is unknown', async () => {
    const detail = 'We close at 6 to count our 12 mails.'
    bench.embed.api.on('getEmailTemplates', { status: 503, json: { detail }, headers: cors })
    await using opened = await open('template-picker', 'es')
    await opened.page.getByText(detail).waitFor()
  })
})

describe('numbers and times', () => {
  it('are formatted in the widget’s language, independent of the browser’s', async () => {
    const at = new Date(Date.UTC(2031, 10, 22, 15, 4)).toISOString()
    const config = sampleConfig({ secret_key: 'eh_one' })
    bench.embed.api.on('listEmailConfigs', list([config]))
    const error = { at, recipient: 'ann@example.com', reply: '550 No such user.' }
    bench.embed.api.on(
      'listConfigUsage',
      list([sampleUsage({ day_count: 12_345, day_limit: 20_000, last_error: error })]),
    )
    await using opened = await open('config-manager', 'es')
    const { page } = opened
    await page.getByText('12.345 de 20.000').waitFor()
    await expect.poll(() => page.getByRole('meter').getAttribute('aria-valuetext')).toBe('12.345 de 20.000')
    const shownTexts = await page.evaluate(
      (moment) => new Date(moment).toLocaleString('es', { dateStyle: 'medium', timeStyle: 'short' }),
      at,
    )
    await page.getByText(`${shownTexts}, a ann@example.com: 550 No such user.`).waitFor()
    await change(page, 'en')
    await page.getByText('12,345 of 20,000').waitFor()
  })

  it('are formatted for deliveries that wait for a retry too', async () => {
    const message = sampleMessage({ 'ann@example.com': 'deferred' })
    message.deliveries[0]!.next_attempt_at = new Date(Date.UTC(2031, 10, 22, 15, 4)).toISOString()
    const headers = { 'Content-Type': 'text/event-stream', ...cors }
    bench.embed.api.on('listEmailConfigs', list([sampleConfig({ secret_key: 'eh_one' })]))
    bench.embed.api.on('watchMessage', { text: `event: progress\ndata: ${JSON.stringify(message)}\n\n`, headers })
    await using opened = await open('compose', 'es', 'data-sendwright-recipients="ann@example.com"')
    const { page } = opened
    await page.getByLabel('De', { exact: true }).selectOption({ index: 1 })
    await page.getByLabel('Asunto').fill('Hola')
    await page.getByLabel('Cuerpo del mensaje').fill('Hola')
    await page.getByRole('button', { name: 'Enviar mensaje' }).click()
    await page.getByText(/^Nuevo intento: 22 nov 2031, \d+:04$/).waitFor()
  })
})
