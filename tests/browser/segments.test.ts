import { beforeEach, describe, expect, it } from 'vitest'
import { answerAudience, sampleSegment } from '../support/audience-screens.ts'
import { openDashboard, pathOf, useDashboard } from '../support/dashboard-page.ts'
import { checkScenes, type Scene } from '../support/scenes.ts'

const { browser, site } = await useDashboard()

const warm = sampleSegment({
  used_by: [
    { kind: 'segment', id: '2', name: 'Warm and new' },
    { kind: 'campaign', id: '8f14e45f-0000-4000-8000-000000000001', name: 'Autumn show' },
  ],
})
const uncounted = sampleSegment({ id: '2', name: 'Warm and new', member_count: null, evaluated_at: null })
beforeEach(() => answerAudience(site, { segments: [warm, uncounted] }))

const open = (path = '/dashboard/segments') => openDashboard(browser, site, { path, token: 'at_1' })

describe('the segments screen', () => {
  it('lists the segments with their counts', async () => {
    await using opened = await open()
    await opened.page.getByRole('row', { name: /Readers in Berlin 431/ }).waitFor()
    await opened.page.getByRole('row', { name: /Warm and new Not counted yet/ }).waitFor()
  })

  it('SEGMENTS-01 without segments offers three examples, and each opens in the builder with its rules', async () => {
    answerAudience(site, { segments: [] })
    await using opened = await open()
    const { page } = opened
    const examples = page.getByRole('region', { name: 'Segments' }).getByRole('listitem').getByRole('link')
    await expect.poll(() => examples.count()).toBe(3)
    for (const [name, sentence] of [
      ['New contacts', 'People whose Date added is within the last 30 days and whose Status is Active.'],
      ['Not sent anything in 30 days', 'People whose Status is Active and not sent anything in the last 30 days.'],
      [
        'Addresses of two providers',
        'People whose Email address contains @gmail.com or whose Email address contains @outlook.com.',
      ],
    ] as const) {
      await page.getByRole('link', { name }).click()
      await page.getByText(sentence, { exact: true }).waitFor()
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe(name)
      await page.goBack()
    }
  })

  it('SEGMENTS-23 shows where a segment is used, in the list and in the builder', async () => {
    await using opened = await open()
    const { page } = opened
    const row = page.getByRole('row', { name: /Readers in Berlin/ })
    await row.getByRole('link', { name: 'Warm and new' }).waitFor()
    await row.getByRole('link', { name: 'Autumn show' }).waitFor()
    await row.getByRole('link', { name: 'Readers in Berlin' }).click()
    await page.getByRole('region', { name: 'Used in' }).getByRole('link', { name: 'Warm and new' }).waitFor()
  })

  it('SEGMENTS-24 duplicates a segment: the copy has the rule, and a change of it leaves the first as it is', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Duplicate Readers in Berlin' }).click()
    await page.getByRole('link', { name: 'Copy of Readers in Berlin' }).click()
    await page.getByText('People on Newsletter and whose City is Berlin.', { exact: true }).waitFor()
    await page.getByRole('group', { name: 'Rule 2' }).getByLabel('Value').fill('Hamburg')
    await page.getByRole('button', { name: 'Save segment' }).click()
    await page.getByText('All changes saved').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Segments', exact: true }).click()
    await page.getByRole('link', { name: 'Readers in Berlin', exact: true }).click()
    await page.getByText('People on Newsletter and whose City is Berlin.', { exact: true }).waitFor()
    expect(site.received.filter(({ method }) => method === 'PATCH').map(({ path }) => path)).toEqual([
      '/email/segments/92',
    ])
  })

  it('tries another name where the name of the copy is taken', async () => {
    await using opened = await open()
    const { page } = opened
    const taken = { status: 409, json: { detail: 'A segment has this name already. Choose another name.' } }
    site.on('createSegment', ({ body }) =>
      (body as { name: string }).name === 'Copy of Readers in Berlin'
        ? taken
        : { status: 201, json: sampleSegment({ id: '9', name: (body as { name: string }).name }) },
    )
    await page.getByRole('button', { name: 'Duplicate Readers in Berlin' }).click()
    await page.getByRole('link', { name: 'Copy 2 of Readers in Berlin' }).waitFor()
  })

  it('asks before it deletes a segment, and shows why it cannot', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Delete Readers in Berlin' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete the segment Readers in Berlin?' })
    const inUse = 'Other segments refer to this one: “Warm and new”. Change them first.'
    site.on('deleteSegment', { status: 409, json: { detail: inUse } })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText(inUse).waitFor()
    site.on('deleteSegment', { status: 204 })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('row', { name: /Readers in Berlin/ }).waitFor({ state: 'detached' })
  })

  it("shows the error and 'Try Again' where the segments cannot be loaded", async () => {
    site.on('listSegments', { status: 503, json: { detail: 'The service is starting.' } })
    await using opened = await open()
    const { page } = opened
    await page.getByText('The service is starting.').waitFor()
    site.on('listSegments', { json: [warm] })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await page.getByRole('row', { name: /Readers in Berlin/ }).waitFor()
  })

  it('opens an empty builder for a new segment', async () => {
    await using opened = await open()
    const { page } = opened
    await page.getByRole('link', { name: 'New segment' }).click()
    await page.getByRole('group', { name: 'Rule 1' }).waitFor()
    expect(pathOf(page)).toBe('/dashboard/segments/new')
  })
})

const scenes: Record<string, Scene> = {
  'the segments': {
    path: '/dashboard/segments',
    token: 'at_1',
    act: (page) => page.getByRole('row', { name: /Readers in Berlin/ }).waitFor(),
  },
  'the segments screen without segments': {
    path: '/dashboard/segments',
    token: 'at_1',
    prepare: () => answerAudience(site, { segments: [] }),
    act: (page) => page.getByRole('heading', { name: 'No segments yet' }).waitFor(),
  },
}
checkScenes(scenes, () => ({ browser, site }))
