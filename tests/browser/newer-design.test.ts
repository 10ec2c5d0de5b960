import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { axeViolations } from '../support/browser.ts'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleCampaign, sampleConfig, sampleTemplate, sampleUser } from '../support/samples.ts'
import { openTemplates, setTemplateResponses } from '../support/template-screens.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
  site.on('getCurrentUser', { json: sampleUser({ preferences: {} }) })
})

/** Nothing that this edition knows but the number. */
const newer = { version: 2, layout: 'page', preheader: '', canvas: [{ kind: 'hologram' }] }
const html = '<p>From the next edition</p>'

function setDraft(content: object): void {
  const written = { mailboxId: 'cfg_1', subject: 'News', context: {}, recipients: ['ines@example.org'] }
  const draft = { ...written, mode: 'design', design: newer, messageBody: html, ...content }
  site.on('getDraft', { json: { content: draft, revision: 1, updated_at: '2025-08-14T09:30:00.000Z', replaced: [] } })
}

const openAt = (path: string) =>
  openDashboard(browser, site, { path, token: 'at_1', viewport: { width: 1280, height: 1400 } })
const openDraft = async () => {
  const opened = await openAt('/dashboard/send_email')
  await opened.page.getByText(title).waitFor()
  return opened
}
const title = 'The design of this message can only be read'
const snippets = (page: Page) => page.getByRole('group', { name: 'Snippets' })
const mode = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
const shown = (page: Page) => page.getByRole('document', { name: 'Message' }).getByText('From the next edition')
const bodiesOf = (method: string, path: string) =>
  site.received.filter((call) => call.method === method && call.path.startsWith(path)).map(({ body }) => body)
const drafts = () => bodiesOf('PUT', '/drafts/').map((body) => (body as { content: object }).content)

describe('a draft whose design a newer version has made', () => {
  it('is sent as the HTML that was kept with it', async () => {
    setDraft({})
    await using opened = await openDraft()
    const { page } = opened
    await page.getByText('it is sent as the preview shows it').waitFor()
    await shown(page).waitFor()
    site.on('sendMailWithKey', { json: { id: 'msg_1', message: 'Sent', accepted: 1, suppressed: 0 } })
    await page.getByLabel('Subject Line').fill('Other news')
    await page.keyboard.press('Control+Enter')
    const sent = () => bodiesOf('POST', '/email/send-mail/')
    await expect.poll(() => sent().length).toBe(1)
    expect(sent()[0]).toMatchObject({ subject: 'Other news', content: html })
    expect(sent()[0]).not.toHaveProperty('design')

    // The form is empty again, and can be written in.
    await page.getByText(title).waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Add a block' }).waitFor()
  })

  it('written as a letter stays a letter: it is read-only, and typing in other fields keeps its document and its mode', async () => {
    const letter = { ...newer, layout: 'letter' }
    setDraft({ mode: 'text', design: letter })
    await using opened = await openDraft()
    const { page } = opened
    expect(await page.locator('.rich-text').count()).toBe(0)
    await page.getByLabel('Subject Line').fill('Other news')
    const kept = { subject: 'Other news', mode: 'text', design: letter, messageBody: html }
    await expect.poll(drafts).toContainEqual(expect.objectContaining(kept))
    await page.reload()
    await page.getByText(title).waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  it('says that there is nothing to send where no HTML was kept with it, and keeps the document', async () => {
    setDraft({ messageBody: '' })
    await using opened = await openDraft()
    const { page } = opened
    await page.getByText('no HTML was kept with it that could be sent').waitFor()
    await page.getByText('Reload the page to get the newer edition').waitFor()
    await page.getByLabel('Subject Line').fill('Other news')
    await expect.poll(drafts).toContainEqual(expect.objectContaining({ subject: 'Other news', design: newer }))
    await page.keyboard.press('Control+Enter')
    await page.getByText('Please fill all required fields').waitFor()
    expect(bodiesOf('POST', '/email/send-mail/')).toEqual([])
  })

  it('becomes its words in Text mode after a question, and Undo brings the document back', async () => {
    setDraft({})
    await using opened = await openDraft()
    const { page } = opened
    await mode(page, 'Text').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('From the next edition').waitFor()
    await dialog.getByRole('button', { name: 'Switch to Text' }).click()
    await expect.poll(() => page.locator('.rich-text').innerText()).toBe('From the next edition')
    await page.locator('.notices').getByRole('button', { name: 'Undo' }).click()
    await page.getByText(title).waitFor()
    await expect.poll(() => drafts().at(-1)).toMatchObject({ mode: 'design', design: newer, messageBody: html })
  })

  it('becomes its HTML in HTML mode', async () => {
    setDraft({})
    await using opened = await openDraft()
    const { page } = opened
    await mode(page, 'HTML').click()
    await expect.poll(() => page.getByLabel('Message body').inputValue()).toBe(html)
  })

  it('shows why it is read-only in the place of the tools, which come with a mode that can be edited', async () => {
    setDraft({})
    await using opened = await openDraft()
    const { page } = opened
    const body = page.getByRole('group', { name: 'Message body' })
    await body.getByRole('note').getByText('A newer edition of the product has made it').waitFor()
    await shown(page).waitFor()
    expect(await snippets(page).count()).toBe(0)
    expect(await body.locator('button, input, select, [tabindex]').count()).toBe(0)
    // Sent beside the HTML, which does not have it.
    expect(await page.getByLabel('Preheader').isEditable()).toBe(true)
    await mode(page, 'HTML').click()
    await snippets(page).getByRole('button', { name: 'Bold' }).waitFor()
    await page.locator('.notices').getByRole('button', { name: 'Undo' }).click()
    await body.getByRole('note').waitFor()
    expect(await snippets(page).count()).toBe(0)
  })
})

describe('a campaign whose design a newer version has made', () => {
  it('opens read-only, and a save of other fields sends neither design nor HTML', async () => {
    const campaign = sampleCampaign({ mode: 'design', design: newer, body: html, preheader: 'In short' })
    site.on('getEmailCampaign', { json: campaign })
    site.on('updateEmailCampaign', ({ body }) => ({ json: { ...campaign, ...(body as object), revision: 2 } }))
    site.on('listEmailConfigs', { json: [sampleConfig()], headers: { 'X-Total-Count': '1' } })
    await using opened = await openAt('/dashboard/send_email?campaign=cmp_1')
    const { page } = opened
    await page.getByText(title).waitFor()
    await shown(page).waitFor()
    await page.getByLabel('Subject Line').fill('Other news')
    await page.getByLabel('Recipients', { exact: true }).fill('ines@example.org')
    await page.keyboard.press('Control+Enter')
    const saved = () => bodiesOf('PATCH', '/email/campaign/cmp_1')
    await expect.poll(() => saved().length).toBe(1)
    expect(saved()[0]).toMatchObject({ subject: 'Other news', preheader: 'In short' })
    expect(saved()[0]).not.toHaveProperty('design')
    expect(saved()[0]).not.toHaveProperty('body')
  })

  it('has its preheader read-only, and once in the HTML that it becomes', async () => {
    const hidden = '<div style="display:none">In short</div>'
    const body = `<html><body>${hidden}${html}</body></html>`
    site.on('getEmailCampaign', {
      json: sampleCampaign({ mode: 'design', design: newer, body, preheader: 'In short' }),
    })
    site.on('previewMail', { json: { subject: 'News', html: 'As it leaves', text: '' } })
    await using opened = await openAt('/dashboard/send_email?campaign=cmp_1')
    const { page } = opened
    await page.getByText('The preheader is part of the design.').waitFor()
    const preheader = page.getByLabel('Preheader')
    expect([await preheader.inputValue(), await preheader.isEditable()]).toEqual(['In short', false])
    await shown(page).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await mode(page, 'HTML').click()
    await expect.poll(() => preheader.isEditable()).toBe(true)
    await expect.poll(() => page.getByLabel('Message body').inputValue()).toBe(`<html><body>${html}</body></html>`)
    await page.getByRole('button', { name: 'Source as sent' }).click()
    await page.getByText('As it leaves').waitFor()
    const content = { content: `<html><body>${html}</body></html>`, preheader: 'In short' }
    expect(bodiesOf('POST', '/email/preview-mail')).toEqual([expect.objectContaining(content)])
  })
})

describe('a template whose design a newer version has made', () => {
  it('names unused variables without buttons, for there is no code to insert them into', async () => {
    const template = sampleTemplate({ name: 'Opening', mode: 'design', body: html, context: ['first_name', 'shop'] })
    setTemplateResponses(site, [{ ...template, design: newer }])
    await using opened = await openTemplates(browser, site, '/dashboard/templates')
    const { page } = opened
    await page.getByRole('button', { name: 'Edit Opening' }).click()
    await page.getByText('The design of this template can only be read').waitFor()
    const variables = page.getByRole('region', { name: 'Merge variables' })
    await variables.getByText('{{shop}}').waitFor()
    expect(await variables.getByRole('button').count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
  })
})
