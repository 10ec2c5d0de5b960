import { beforeEach, expect, it } from 'vitest'
import type { Reply } from '../support/api-server.ts'
import { answerAudience, sampleList, sampleSegment } from '../support/audience-screens.ts'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { startImportApi } from '../support/import-api.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { sampleEmbed, sampleEmbedSession, sampleSuppression } from '../support/samples.ts'
import { globalTemplates, setTemplateResponses } from '../support/template-screens.ts'

/** What is pressed while another action is on its way is done too: an enabled control drops no press. */

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const open = (path: string) => openDashboard(browser, site, { path, token: 'at_1' })
const sent = (method: string, path: string) =>
  site.received.filter((got) => got.method === method && got.path === path).map(({ body }) => body)

/** Answers an operation only once the returned function is called. */
function hold(name: string, reply: Reply): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  site.on(name, () => promise.then(() => reply))
  return () => resolve(undefined)
}

it('duplicates a segment while another one is duplicated', async () => {
  const [berlin, lapsed] = [sampleSegment(), sampleSegment({ id: '2', name: 'Lapsed' })]
  answerAudience(site, { segments: [berlin, lapsed] })
  await using opened = await open('/dashboard/segments')
  const { page } = opened
  const { promise, resolve } = Promise.withResolvers<undefined>()
  site.on('createSegment', async ({ body }) => {
    const { name } = body as { name: string }
    if (name.includes('Berlin')) await promise
    return { status: 201, json: sampleSegment({ id: name, name }) }
  })
  await page.getByRole('button', { name: 'Duplicate Readers in Berlin' }).click()
  await page.getByRole('button', { name: 'Duplicate Lapsed' }).click()
  await page.getByRole('link', { name: 'Copy of Lapsed' }).waitFor()
  resolve(undefined)
  await page.getByRole('link', { name: 'Copy of Readers in Berlin' }).waitFor()
})

it('deletes a segment while another one is duplicated', async () => {
  answerAudience(site, { segments: [sampleSegment(), sampleSegment({ id: '2', name: 'Lapsed' })] })
  await using opened = await open('/dashboard/segments')
  const { page } = opened
  const release = hold('createSegment', { status: 201, json: sampleSegment({ id: '3', name: 'Copy' }) })
  await page.getByRole('button', { name: 'Duplicate Readers in Berlin' }).click()
  await page.getByRole('button', { name: 'Delete Lapsed' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('link', { name: 'Lapsed' }).waitFor({ state: 'detached' })
  release()
  await page.getByRole('link', { name: 'Copy', exact: true }).waitFor()
})

it('puts a suppression back while the list is loaded after its removal, and hands out the CSV meanwhile', async () => {
  site.on('listSuppressions', { json: [sampleSuppression()], headers: { 'X-Total-Count': '1' } })
  await using opened = await open('/dashboard/suppressions')
  const { page } = opened
  await page.getByRole('button', { name: 'Remove gone@example.org' }).click()
  site.on('deleteSuppression', { status: 204 })
  const release = hold('listSuppressions', { json: [sampleSuppression()], headers: { 'X-Total-Count': '1' } })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('gone@example.org was removed.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  site.on('addSuppressions', { json: { added: 1 } })
  site.on('exportSuppressions', { text: 'email\r\n', headers: { 'Content-Type': 'text/csv' } })
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await saving
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => sent('POST', '/email/suppressions')).toMatchObject([{ emails: ['gone@example.org'] }])
  release()
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
})

it('takes an import back once the CSV of its refused rows has come', async () => {
  const api = startImportApi(site, Buffer.from('email\r\na@example.org\r\n'))
  const counts = { added: 1, updated: 0, unchanged: 0, refused: 2, suppressed: 0, repeated: 0, empty: 0 }
  const until = new Date(Date.now() + 10 * 86_400_000).toISOString()
  api.turn({ state: 'done', counts, undo_until: until, finished_at: new Date().toISOString() })
  site.on('undoImport', () => api.turn({ state: 'undone' }))
  const release = hold('exportImportRefusals', { text: 'line\r\n', headers: { 'Content-Type': 'text/csv' } })
  await using opened = await open('/dashboard/imports/12')
  const { page } = opened
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Get the 2 refused rows as CSV' }).click()
  await page.getByRole('button', { name: 'Take back' }).click()
  const yes = page.getByRole('dialog').getByRole('button', { name: 'Take back' })
  await yes.click()
  await expect.poll(() => yes.getAttribute('aria-busy')).toBe('true')
  release()
  await saving
  await page.getByText('The import is taken back.').waitFor()
})

it('pauses an embed while a session of it is ended', async () => {
  site.on('getEmbed', { json: sampleEmbed() })
  site.on('listEmbedSessions', { json: [sampleEmbedSession()], headers: { 'X-Total-Count': '1' } })
  site.on('listEmbedAudit', { json: [], headers: { 'X-Total-Count': '0' } })
  site.on('updateEmbed', { json: sampleEmbed({ status: 'paused' }) })
  const release = hold('revokeEmbedSession', { status: 204 })
  await using opened = await open(`/dashboard/embeds#${sampleEmbed().id}`)
  const { page } = opened
  const end = page.getByRole('button', { name: 'End the session of' })
  await end.click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('This embed is paused').waitFor()
  await expect.poll(() => end.isDisabled()).toBe(true)
  site.on('listEmbedSessions', { json: [], headers: { 'X-Total-Count': '0' } })
  release()
  await page.getByText('No open sessions.').waitFor()
})

it('saves a global template while another one is saved', async () => {
  setTemplateResponses(site)
  const release = hold('createEmailTemplate', { status: 503, json: { detail: 'The service is starting.' } })
  await using opened = await open('/dashboard/globalTemplates')
  const { page } = opened
  for (const { data } of globalTemplates) {
    const save = page.getByRole('button', { name: `Save Template ${String(data['name'])}` })
    await save.click()
    await expect.poll(() => save.getAttribute('aria-busy')).toBe('true')
  }
  await expect.poll(() => sent('POST', '/email/template')).toHaveLength(globalTemplates.length)
  release()
})

it('signs a device out while another one is signed out', async () => {
  const at = '2025-08-14T09:30:00.000Z'
  const session = (id: string, device: string) => ({
    id,
    device,
    created_at: at,
    last_used_at: at,
    expires_at: at,
    is_current: id === 's1',
  })
  let kept = [session('s1', 'Firefox'), session('s2', 'Safari'), session('s3', 'Chrome')]
  site.on('listSessions', () => ({ json: kept, headers: { 'X-Total-Count': String(kept.length) } }))
  const { promise, resolve } = Promise.withResolvers<undefined>()
  site.on('revokeSession', async ({ params }) => {
    if (params['id'] === 's2') await promise
    kept = kept.filter(({ id }) => id !== params['id'])
    return { status: 204 }
  })
  await using opened = await open('/dashboard/profile')
  const { page } = opened
  await page.getByRole('button', { name: 'Sign out Safari' }).click()
  await page.getByRole('button', { name: 'Sign out Chrome' }).click()
  await page.getByRole('button', { name: 'Sign out Chrome' }).waitFor({ state: 'detached' })
  resolve(undefined)
  await page.getByRole('button', { name: 'Sign out Safari' }).waitFor({ state: 'detached' })
})

it('saves the last position of a switch that is pressed again while it is saved', async () => {
  const list = sampleList()
  answerAudience(site, { lists: [list] })
  const { promise, resolve } = Promise.withResolvers<undefined>()
  site.on('updateList', async ({ body }) => {
    await promise
    return { json: { ...list, ...(body as object) } }
  })
  await using opened = await open('/dashboard/lists')
  const { page } = opened
  const isPublic = page.getByRole('switch', { name: 'Newsletter is public' })
  await isPublic.click()
  await expect.poll(() => isPublic.getAttribute('aria-busy')).toBe('true')
  await isPublic.click()
  await expect.poll(() => isPublic.isChecked()).toBe(false)
  resolve(undefined)
  await expect.poll(() => isPublic.getAttribute('aria-busy')).toBe(null)
  await expect.poll(() => isPublic.isChecked()).toBe(false)
  expect(sent('PATCH', '/email/lists/1')).toEqual([{ is_public: true }, { is_public: false }])
})

it('saves a list while another one is deleted', async () => {
  answerAudience(site, { lists: [sampleList(), sampleList({ id: '2', name: 'Events' })] })
  const release = hold('deleteList', { status: 204 })
  await using opened = await open('/dashboard/lists')
  const { page } = opened
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Delete Events' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New list' }).first().click()
  await dialog.getByLabel('Name').fill('Guests')
  await dialog.locator('[type=submit]').click()
  await page.getByText('Guests').waitFor()
  release()
  await page.getByText('Events', { exact: true }).waitFor({ state: 'detached' })
})
