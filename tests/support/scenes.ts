import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ApiServer } from './api-server.ts'
import { axeViolations, viewports } from './browser.ts'
import { openDashboard } from './dashboard-page.ts'

/** A state of a screen, and the way to it. */
export interface Scene {
  path: string
  token?: string
  /** Responses that differ from those of a signed-in user. */
  prepare?: () => void
  /** Brings the screen into the tested state. */
  act: (page: Page) => Promise<unknown>
}

/** Runs axe on each scene: in a window as wide as a desktop and then as narrow as a phone, light and dark. */
export function checkScenes(
  scenes: Readonly<Record<string, Scene>>,
  given: () => { browser: Browser; site: ApiServer },
): void {
  describe('axe finds no violation in', () => {
    for (const [name, { path, token, prepare, act }] of Object.entries(scenes)) {
      it(name, async () => {
        const { browser, site } = given()
        prepare?.()
        await using opened = await openDashboard(browser, site, {
          path,
          viewport: viewports.desktop,
          ...(token !== undefined && { token }),
        })
        const { page } = opened
        await act(page)
        for (const viewport of [viewports.desktop, viewports.phone]) {
          await page.setViewportSize(viewport)
          for (const colorScheme of ['light', 'dark'] as const) {
            // Without motion: a colour in transition belongs to neither scheme.
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
            const found = await axeViolations(page, { isRecoloured: colorScheme === 'dark' })
            expect(found, `${colorScheme}, ${viewport.width}`).toEqual([])
          }
        }
      })
    }
  })
}
