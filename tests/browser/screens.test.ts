import type { Page } from 'playwright-core'
import { beforeEach } from 'vitest'
import { useDashboard } from '../support/dashboard-page.ts'
import { progressEvents, statisticsEvents } from '../support/progress-events.ts'
import { signedInResponses } from '../support/sample-answers.ts'
import { checkScenes, type Scene } from '../support/scenes.ts'
import {
  sampleDay,
  sampleConfig,
  sampleMessage,
  sampleSandboxMessage,
  sampleTemplate,
  sampleUsage,
  sampleUser,
} from '../support/samples.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

const signIn = async (page: Page) => {
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill('secret')
  await page.getByRole('button', { name: 'Sign In' }).click()
}

const scenes: Record<string, Scene> = {
  'the sign-in screen with an error': {
    path: '/login',
    act: (page) => page.getByRole('button', { name: 'Sign In' }).click(),
  },
  'the sign-in screen with the password shown, and Caps Lock on': {
    path: '/login',
    act: async (page) => {
      await page.getByRole('button', { name: 'Show password' }).click()
      await page
        .getByLabel('Password')
        .evaluate((input) =>
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, modifierCapsLock: true })),
        )
      await page.getByText('Caps Lock is on').waitFor()
    },
  },
  'the form for a reset link': {
    path: '/forgot_password',
    act: (page) => page.getByRole('button', { name: 'Send reset link' }).waitFor(),
  },
  'a reset link that was sent': {
    path: '/forgot_password',
    prepare: () => site.on('listSandboxMessages', { json: [] }),
    act: async (page) => {
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByRole('button', { name: 'Send reset link' }).click()
      await page.getByRole('link', { name: 'sandbox inbox' }).waitFor()
    },
  },
  'a new password that does not match': {
    path: '/forgot_password/rp_1',
    act: async (page) => {
      await page.getByLabel('New password', { exact: true }).fill('password1')
      await page.getByRole('button', { name: 'Update password' }).click()
      await page.getByText('Please confirm your password').waitFor()
    },
  },
  'a reset link that has ended': {
    path: '/forgot_password/rp_1',
    prepare: () => site.on('updatePassword', { status: 400, json: { detail: 'This link was used already.' } }),
    act: async (page) => {
      await page.getByLabel('New password', { exact: true }).fill('correct horse')
      await page.getByLabel('Confirm password', { exact: true }).fill('correct horse')
      await page.getByRole('button', { name: 'Update password' }).click()
      await page.getByRole('link', { name: 'Request a new link' }).waitFor()
    },
  },
  'the check-your-email modal': {
    path: '/login',
    prepare: () => {
      site.on('signIn', { json: { access_token: 'at_1', confirmed_email: false } })
      site.on('getCurrentUser', { json: sampleUser({ confirmed_email: false }) })
      site.on('listSandboxMessages', { json: [] })
    },
    act: async (page) => {
      await signIn(page)
      await page.getByRole('link', { name: 'sandbox inbox' }).waitFor()
    },
  },
  'the sign-up screen': { path: '/signup', act: (page) => page.getByLabel('First name').waitFor() },
  'a confirmed email': {
    path: '/email_confirm/cf_1',
    act: (page) => page.getByRole('heading', { name: 'Email Confirmed!' }).waitFor(),
  },
  'a failed confirmation': {
    path: '/email_confirm/cf_1',
    prepare: () => site.on('confirmEmail', { status: 404, json: { message: 'No.', error: 'invalid' } }),
    act: (page) => page.getByRole('heading', { name: 'Confirmation Failed' }).waitFor(),
  },
  'an expired link': {
    path: '/email_confirm/cf_1',
    prepare: () => site.on('confirmEmail', { status: 410, json: { message: 'Ended.', error: 'expired' } }),
    act: (page) => page.getByRole('heading', { name: 'Link Expired' }).waitFor(),
  },
  'the view for an unconfirmed person': {
    path: '/dashboard',
    token: 'at_1',
    prepare: () => site.on('getCurrentUser', { json: sampleUser({ confirmed_email: false }) }),
    act: (page) => page.getByRole('heading', { name: 'Check Your Email' }).waitFor(),
  },
  'the home screen of a new account': {
    path: '/dashboard',
    token: 'at_1',
    act: (page) => page.getByRole('link', { name: 'Write', exact: true }).waitFor(),
  },
  'the home screen with mails, quotas and a chart': {
    path: '/dashboard',
    token: 'at_1',
    prepare: () => {
      const { deliveries: _deliveries, ...summary } = sampleMessage({
        'a@example.org': 'sent',
        'b@example.org': 'failed',
      })
      site.on('listMessages', { json: [summary], headers: { 'X-Total-Count': '1' } })
      site.on('watchStatistics', statisticsEvents([sampleDay({ sent: 3, failed: 1, waiting: 1 })]))
    },
    act: (page) => page.locator('.uplot canvas').waitFor(),
  },
  'the home screen that cannot load': {
    path: '/dashboard',
    token: 'at_1',
    prepare: () => {
      for (const name of ['listEmailConfigs', 'listMessages', 'watchStatistics']) {
        site.on(name, { status: 503, json: { detail: 'The service is starting.' } })
      }
    },
    act: (page) => page.getByText('The counts could not be loaded').waitFor(),
  },
  'the sidebar: a sheet on a phone, collapsed on a desk': {
    path: '/dashboard',
    token: 'at_1',
    act: (page) => page.getByRole('button', { name: /Menu|Collapse sidebar/ }).click(),
  },
  'the command palette without an answer': {
    path: '/dashboard',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Go to a screen or template' }).click()
      await page.getByRole('combobox').fill('nothing of the kind')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
    },
  },
  'the command palette': {
    path: '/dashboard',
    token: 'at_1',
    prepare: () => site.on('getEmailTemplates', { json: [sampleTemplate()], headers: { 'X-Total-Count': '1' } }),
    act: async (page) => {
      await page.getByRole('button', { name: 'Go to a screen or template' }).click()
      await page.getByRole('combobox').fill('do')
      await page.getByRole('option', { name: /Doors open/ }).waitFor()
    },
  },
  'a mailbox with an error, a full quota and a sign-in offered': {
    path: '/dashboard/email_config',
    token: 'at_1',
    prepare: () => {
      const lastError = { reply: '550 No such user', recipient: 'a@example.org', at: '2025-08-14T09:30:00.000Z' }
      site.on('listConfigUsage', {
        json: [sampleUsage({ day_count: 450, last_error: lastError })],
        headers: { 'X-Total-Count': '1' },
      })
      site.on('listMailboxSignIns', { json: ['gmail', 'outlook'] })
    },
    act: async (page) => {
      await page.getByText('550 No such user').waitFor()
      await page.getByRole('button', { name: 'Sign in with Google' }).waitFor()
    },
  },
  'the limits of a mailbox, one above its provider’s and one that is no number': {
    path: '/dashboard/email_config',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: /^Limits of/ }).click()
      await page.getByLabel('Mails in 24 hours').fill('1000')
      await page.getByLabel('Connections at a time').fill('many')
      await page.getByRole('button', { name: 'Save limits' }).click()
      await page.getByText('Enter a whole number').waitFor()
    },
  },
  'the question before a mailbox gets a new key': {
    path: '/dashboard/email_config',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: /^New key for/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'a mail server that only DNS names': {
    path: '/dashboard/email_config',
    token: 'at_1',
    prepare: () => {
      const server = { smtp_host: 'mx.example', smtp_port: 465, smtp_security: 'tls', is_sure: false }
      site.on('discoverMailServer', { json: { server } })
    },
    act: async (page) => {
      await page.getByLabel('Email address').fill('me@own.example')
      await page.getByLabel('Provider').selectOption('other')
      await page.getByRole('button', { name: 'Use it' }).waitFor()
    },
  },
  'the profile with a list of what is missing': {
    path: '/dashboard/profile',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByText('Password is required').waitFor()
      await page.getByLabel('Postal address').waitFor()
    },
  },
  'the question before an account is closed': {
    path: '/dashboard/profile',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: 'Close account…' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'the configurations, one paused, all fields shown': {
    path: '/dashboard/email_config',
    token: 'at_1',
    prepare: () => {
      const paused = { status: 'paused', pause_reason: 'Gmail refused the app password. Make a new one.' } as const
      site.on('listEmailConfigs', { json: [sampleConfig(), sampleConfig({ id: 'cfg_2', ...paused })] })
      site.on('listSandboxMessages', { json: [] })
    },
    act: async (page) => {
      await page.getByLabel('Provider').selectOption('other')
      await page.getByRole('button', { name: 'Add Config' }).click()
      await page.getByText('Email address is required').waitFor()
      await page.getByRole('button', { name: 'Connect again' }).waitFor()
    },
  },
  'the question before a configuration is deleted': {
    path: '/dashboard/email_config',
    token: 'at_1',
    act: async (page) => {
      await page.getByRole('button', { name: /^Delete/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'no configurations': {
    path: '/dashboard/email_config',
    token: 'at_1',
    prepare: () => site.on('listEmailConfigs', { json: [] }),
    act: (page) => page.getByText('No configurations').waitFor(),
  },
  'the empty composer': {
    path: '/dashboard/send_email',
    token: 'at_1',
    act: (page) => page.getByRole('option', { name: /studio/ }).waitFor({ state: 'attached' }),
  },
  'a message being written': {
    path: '/dashboard/send_email',
    token: 'at_1',
    act: async (page) => {
      await page.getByLabel('Subject Line').fill('Doors open, {{first_name}}')
      await page.getByLabel('Recipients').fill('a@example.org, front desk')
      await page.keyboard.press('Enter')
      await page
        .getByLabel('Message body')
        .fill('<h2>Show</h2><p>Dear {{first_name}}</p><a href="https://a.example">go</a>')
      await page.getByRole('heading', { name: 'Show' }).waitFor()
      await page.getByText('front desk').first().waitFor()
    },
  },
  'a message to many, all of them shown, one repeated': {
    path: '/dashboard/send_email',
    token: 'at_1',
    act: async (page) => {
      const many = Array.from({ length: 30 }, (_row, at) => `visitor-${at % 29}@example.org`)
      await page.getByLabel('Recipients').fill(many.join(', '))
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Show all' }).click()
      await page.getByText('visitor-0@example.org is already in the list').waitFor({ state: 'attached' })
    },
  },
  'a message that was sent': {
    path: '/dashboard/send_email',
    token: 'at_1',
    prepare: () => {
      const states = { 'a@example.org': 'sent', 'b@example.org': 'failed', 'c@example.org': 'unknown' } as const
      site.on('watchMessage', progressEvents(sampleMessage(states)))
    },
    act: async (page) => {
      await page.getByLabel('From').selectOption({ index: 1 })
      await page.getByLabel('Subject Line').fill('Doors open')
      await page.getByLabel('Recipients').fill('a@example.org')
      await page.getByLabel('Message body').fill('Dear friend')
      await page.keyboard.press('Control+Enter')
      await page.getByText('550 5.1.1 No such user').waitFor()
    },
  },
  'the profile': {
    path: '/dashboard/profile',
    token: 'at_1',
    act: (page) => page.getByText('Member since').waitFor(),
  },
  'the documentation in the dashboard': {
    path: '/dashboard/documentation',
    token: 'at_1',
    act: (page) => page.getByText('Base URL').waitFor(),
  },
  'the sandbox inbox': {
    path: '/sandbox',
    prepare: () => site.on('listSandboxMessages', { json: [sampleSandboxMessage()] }),
    act: async (page) => {
      await page.getByRole('button', { name: /Doors open/ }).click()
      await page.frameLocator('iframe').getByRole('heading').waitFor()
    },
  },
}

checkScenes(scenes, () => ({ browser, site }))
