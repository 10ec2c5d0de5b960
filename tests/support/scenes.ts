import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ApiServer } from './api-server.ts'
import { axeFindings, viewports } from './browser.ts'
import { openDashboard } from './dashboard-page.ts'

/** A state of a screen, and how to come there. */
export interface Scene {
  path: string
  token?: string
  /** Answers that differ from those of a signed-in person. */
  prepare?: () => void
  /** Brings the screen into the state that is looked at. */
  act: (page: Page) => Promise<unknown>
}

/** Has axe look at each scene: on a desk and on a phone, light and dark. */
export function lookAtScenes(
  scenes: Readonly<Record<string, Scene>>,
  given: () => { browser: Browser; site: ApiServer },
): void {
  describe('axe finds nothing in', () => {
    for (const [name, { path, token, prepare, act }] of Object.entries(scenes)) {
      it(name, async () => {
        const { browser, site } = given()
        prepare?.()
        for (const viewport of [viewports.desktop, viewports.phone]) {
          await using opened = await openDashboard(browser, site, {
            path,
            viewport,
            ...(token !== undefined && { token }),
          })
          const { page } = opened
          await act(page)
          for (const colorScheme of ['light', 'dark'] as const) {
            // Without motion: a colour on its way from one scheme to the other is in neither.
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
            const found = await axeFindings(page, { isRecoloured: colorScheme === 'dark' })
            expect(found, `${colorScheme}, ${viewport.width}`).toEqual([])
          }
        }
      })
    }
  })
}
