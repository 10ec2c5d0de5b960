import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Image } from '../../contract/files/image.ts'
import { axeViolations, openPage, viewports, useBrowser } from '../support/browser.ts'
import { animation, photo } from '../support/image-files.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { enterDashboard } from '../support/dashboard-page.ts'
import { useServer } from '../support/server.ts'

const server = await useServer()
const browser = await useBrowser()

async function signIn(page: Page, user: TestUser, path: string): Promise<void> {
  await enterDashboard(page, server, user, path)
}

const imagesOf = async (user: TestUser) =>
  (await server.call('GET', '/email/images', { token: user.token })).body as Image[]

it('IMAGES-05 Without an image, /dashboard/images says what will stand there and offers an upload.', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser)
  const { page } = opened
  await signIn(page, user, '/dashboard/images')
  await page.getByRole('heading', { name: 'No images yet' }).waitFor()
  await page.getByText('The images that you upload appear here, and in every message.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Upload images' }).count()).toBe(2)
  expect(await axeViolations(page)).toEqual([])
})

it('IMAGES-06 /dashboard/images lists the workspace’s images; an image is uploaded, renamed, given alternative text and deleted there by keyboard alone.', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser)
  const { page } = opened
  await signIn(page, user, '/dashboard/images')
  await page.getByRole('heading', { name: 'No images yet' }).waitFor()

  const upload = page.getByRole('button', { name: 'Upload images' }).first()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), upload.press('Enter')])
  await chooser.setFiles([
    { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: await photo(1300, 700) },
    { name: 'pier.jpg', mimeType: 'image/jpeg', buffer: await photo(800, 600, { seed: 3 }) },
  ])
  await page.getByRole('button', { name: 'Edit harbour.jpg' }).waitFor()
  await page.getByRole('button', { name: 'Edit pier.jpg' }).waitFor()
  await page.getByText('2 images').waitFor()
  await expect
    .poll(() =>
      page.locator('main img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth > 0)),
    )
    .toEqual([true, true])
  for (const viewport of [viewports.desktop, viewports.phone]) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await axeViolations(page, { isRecoloured: colorScheme === 'dark' })).toEqual([])
    }
  }
  await page.setViewportSize(viewports.desktop)

  await page.getByRole('button', { name: 'Edit harbour.jpg' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit the image' })
  await dialog.getByLabel('Name').focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('Harbour at dawn')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Boats in the harbour')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Boats in the harbour').waitFor()

  await page.getByRole('button', { name: 'Delete pier.jpg' }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'Delete the image pier.jpg?' })
    .getByRole('button', { name: 'Delete', exact: true })
    .focus()
  await page.keyboard.press('Enter')
  await page.getByText('Image deleted').waitFor()
  await page.getByRole('button', { name: 'Edit pier.jpg' }).waitFor({ state: 'detached' })
  expect((await imagesOf(user)).map(({ name, alt }) => [name, alt])).toEqual([
    ['Harbour at dawn', 'Boats in the harbour'],
  ])
})

it('IMAGES-20 ‘Remove from the web’ warns about mails already sent; afterwards the image’s address answers 404.', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser, { allowFaults: /404/ })
  const { page } = opened
  await signIn(page, user, '/dashboard/images')
  const chooser = page.locator('main input[type=file]').first()
  await chooser.setInputFiles({ name: 'old.jpg', mimeType: 'image/jpeg', buffer: await photo(200, 100) })
  await page.getByRole('button', { name: 'Delete old.jpg' }).click()
  const [image] = await imagesOf(user)
  expect((await fetch(image!.url)).status).toBe(200)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Remove from the web').check()
  await dialog
    .getByText('Mails already sent, drafts and templates with this image will show a gap in its place.')
    .waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Remove from the web' }).click()
  await page.getByText('Image removed from the web').waitFor()
  expect((await fetch(image!.url)).status).toBe(404)
  expect(await imagesOf(user)).toEqual([])
})

it('a refused upload shows its reason beside its name, and goes with a press', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser, { allowFaults: /422/ })
  const { page } = opened
  await signIn(page, user, '/dashboard/images')
  const chooser = page.locator('main input[type=file]').first()
  await chooser.setInputFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  })
  await page.getByRole('alert').filter({ hasText: 'SVG is not shown by most mail programs.' }).waitFor()
  await page.getByRole('button', { name: 'Dismiss logo.svg' }).click()
  await page.getByRole('alert').filter({ hasText: 'SVG' }).waitFor({ state: 'detached' })
})

it('damaged, overlong and double files: what cannot be shown says why, what can is shown without place and without its other content', async () => {
  const user = await createUser(server)
  await using opened = await openPage(browser, { allowFaults: /422/ })
  const { page } = opened
  await signIn(page, user, '/dashboard/images')
  const jpeg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer })
  const whole = await photo(900, 600, { seed: 4 })
  await page
    .locator('main input[type=file]')
    .first()
    .setInputFiles([
      jpeg('cut.jpg', whole.subarray(0, whole.length / 2)),
      { name: 'long.gif', mimeType: 'image/gif', buffer: animation(301) },
      { name: 'dance.gif', mimeType: 'image/gif', buffer: animation(3) },
      jpeg('place.jpg', await photo(640, 400, { hasPlace: true, seed: 5 })),
      jpeg('double.jpg', Buffer.concat([await photo(700, 300, { seed: 6 }), Buffer.from('<html>canary</html>')])),
    ])
  const refused = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()
  await refused('This image is damaged or incomplete.')
  await refused('The animation has more than 300 frames.')
  for (const name of ['dance.gif', 'place.jpg', 'double.jpg'])
    await page.getByRole('button', { name: `Edit ${name}` }).waitFor()
  await page.getByText('3 images').waitFor()
  await expect
    .poll(() =>
      page.locator('main img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth > 0)),
    )
    .toEqual([true, true, true])
  for (const { name, url } of await imagesOf(user)) {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect([name, /canary|GPS|<html/i.test(bytes.toString('latin1'))]).toEqual([name, false])
  }
})
