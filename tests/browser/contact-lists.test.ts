import { beforeEach, describe, expect, it } from 'vitest'
import { answerAudience, sampleList } from '../support/audience-screens.ts'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { checkScenes, type Scene } from '../support/scenes.ts'

const { browser, site } = await useDashboard()

const news = sampleList()
const events = sampleList({ id: '2', name: 'Events', is_public: true, member_count: 20, growth_30_days: -4 })
beforeEach(() => answerAudience(site, { lists: [events, news] }))

const open = () => openDashboard(browser, site, { path: '/dashboard/lists', token: 'at_1' })
const sent = (method: string) =>
  site.received.filter((got) => got.method === method && got.path.startsWith('/email/lists'))

describe('the lists screen', () => {
  it('LISTS-01 shows the name, the members and the growth of 30 days of each list', async () => {
    await using opened = await open()
    await opened.page.getByRole('row', { name: /Newsletter Once a month\. 1,204 members .*\+87/ }).waitFor()
    await opened.page.getByRole('row', { name: /Events .*20 members .*-4/ }).waitFor()
  })

  it('LISTS-02 shows a list as public or private, and keeps a change', async () => {
    await using opened = await open()
    const { page } = opened
    const isPublic = page.getByRole('switch', { name: 'Newsletter is public' })
    await expect.poll(() => isPublic.isChecked()).toBe(false)
    await expect.poll(() => page.getByRole('switch', { name: 'Events is public' }).isChecked()).toBe(true)
    await isPublic.check()
    await page.getByRole('row', { name: /Newsletter .*Public/ }).waitFor()
    await expect.poll(() => sent('PATCH').map(({ body }) => body)).toEqual([{ is_public: true }])
    await page.reload()
    await expect.poll(() => isPublic.isChecked()).toBe(true)
  })

  it('puts the switch back and says why where the change fails', async () => {
    await using opened = await open()
    const { page } = opened
    site.on('updateList', { status: 503, json: { detail: 'The service is starting.' } })
    const isPublic = page.getByRole('switch', { name: 'Newsletter is public' })
    await isPublic.click()
    await page.getByText('The service is starting.').first().waitFor()
    await expect.poll(() => isPublic.isChecked()).toBe(false)
  })

  it('LISTS-03 without lists says what a list is for, and offers to make one', async () => {
    answerAudience(site, { lists: [] })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('heading', { name: 'No lists yet' }).waitFor()
    await page.getByText('A list holds the contacts who get the same mails').waitFor()
    await page.getByRole('button', { name: 'Make a list' }).click()
    const dialog = page.getByRole('dialog', { name: 'New list' })
    await dialog.getByRole('button', { name: 'Make the list' }).click()
    await dialog.getByText('Enter a name').waitFor()
    await dialog.getByLabel('Name').fill('Guests')
    await dialog.getByRole('button', { name: 'Make the list' }).click()
    await page.getByRole('row', { name: /Guests 0 members/ }).waitFor()
  })

  it("LISTS-04 that cannot load the lists shows the error and 'Try Again'", async () => {
    site.on('listLists', { status: 503, json: { detail: 'The service is starting.' } })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('heading', { name: 'The lists could not be loaded' }).waitFor()
    await page.getByText('The service is starting.').waitFor()
    site.on('listLists', { json: [news] })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await page.getByRole('row', { name: /Newsletter/ }).waitFor()
  })

  it('renames a list, and shows at the field that the name is taken', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Rename Newsletter' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename this list' })
    const taken = 'A list has this name already. Choose another name.'
    site.on('updateList', { status: 409, json: { detail: taken } })
    await dialog.getByLabel('Name').fill('Events')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(taken).waitFor()
    await expect.poll(() => dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
    site.on('updateList', { json: { ...news, name: 'Monthly' } })
    await dialog.getByLabel('Name').fill('Monthly')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Monthly/ }).waitFor()
  })

  it('LISTS-15 asks before it deletes a list, and says that the members stay contacts', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Delete Newsletter' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the list Newsletter?' })
    await dialog.getByText('Its 1,204 members stay contacts.').waitFor()
    expect(sent('DELETE')).toEqual([])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('row', { name: /Newsletter/ }).waitFor({ state: 'detached' })
    expect(sent('DELETE').map(({ path }) => path)).toEqual(['/email/lists/1'])
    // Only the list is deleted: no call goes to the contacts.
    expect(site.received.filter(({ path, method }) => method !== 'GET' && path.startsWith('/email/contacts'))).toEqual(
      [],
    )
  })

  it('finds a list by a part of its name from eight lists on', async () => {
    const lists = Array.from({ length: 8 }, (_, at) => sampleList({ id: String(at + 1), name: `List ${at + 1}` }))
    answerAudience(site, { lists })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('searchbox', { name: 'Search lists' }).fill('list 3')
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2)
    await page.getByRole('searchbox').fill('nothing')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(9)
  })
})

const scenes: Record<string, Scene> = {
  'the lists': {
    path: '/dashboard/lists',
    token: 'at_1',
    prepare: () => answerAudience(site, { lists: [events, news] }),
    act: (page) => page.getByRole('switch').first().waitFor(),
  },
  'the lists screen without lists': {
    path: '/dashboard/lists',
    token: 'at_1',
    prepare: () => answerAudience(site, { lists: [] }),
    act: (page) => page.getByRole('heading', { name: 'No lists yet' }).waitFor(),
  },
  'the dialog of a new list': {
    path: '/dashboard/lists',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: 'New list' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Make the list' }).click()
      await page.getByText('Enter a name').waitFor()
    },
  },
}
checkScenes(scenes, () => ({ browser, site }))
