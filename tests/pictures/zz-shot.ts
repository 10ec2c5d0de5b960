import { writeFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { startApi } from '/work/wt-site/tests/support/api-server.ts'
import { startChromium } from '/work/wt-site/tests/support/chromium.ts'
import { signedInAnswers } from '/work/wt-site/tests/support/sample-answers.ts'
import { serveDashboard } from '/work/wt-site/tests/support/site.ts'
const [, , path, name, width, scheme, full] = process.argv
const api = await startApi(signedInAnswers(), await serveDashboard())
const server = await startChromium()
const browser = await chromium.connect(server.wsEndpoint())
const context = await browser.newContext({
  colorScheme: scheme as 'light',
  viewport: { width: Number(width), height: Number(width) > 700 ? 800 : 844 },
  reducedMotion: full === 'still' ? 'reduce' : null,
})
const page = await context.newPage()
page.on('console', (m) => console.log('console', m.type(), m.text()))
page.on('pageerror', (e) => console.log('pageerror', e.message))
await page.goto(api.url + path!, { waitUntil: 'networkidle' })
await page.screenshot({ path: `/tmp/${name}-top.png` })
const h = await page.evaluate(() => document.documentElement.scrollHeight)
for (let y = 0; y < h; y += 600) {
  await page.mouse.wheel(0, 600)
  await page.waitForTimeout(60)
}
await page.waitForTimeout(600)
await page.evaluate(() => scrollTo(0, 0))
for (let i = 0; i * 1000 < h + 3000 && i < 8; i++)
  await page
    .screenshot({
      path: `/tmp/${name}-${i}.png`,
      fullPage: true,
      clip: { x: 0, y: i * 1000, width: Number(width), height: 1000 },
    })
    .catch(() => 0)
console.log(h, await page.evaluate(() => document.documentElement.scrollWidth), await page.title())
await browser.close()
await server.close()
await api.close()
process.exit(0)
