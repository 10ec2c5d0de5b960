import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openDashboard, useDashboard } from '../support/dashboard-page.ts'
import { signedInResponses } from '../support/sample-answers.ts'

const { browser, site } = await useDashboard()
beforeEach(() => {
  site.received.length = 0
  for (const [name, handler] of Object.entries(signedInResponses())) site.on(name, handler)
})

describe('/email_confirm/{token}', () => {
  const open = (path = '/email_confirm/cf_1') => openDashboard(browser, site, { path })
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

  it('CONFIRM-01 CONFIRM-03 CONFIRM-04 CONFIRM-05 reads the token, confirms at once and shows the Loading view', async () => {
    const answer = Promise.withResolvers<undefined>()
    site.on('confirmEmail', async () => {
      await answer.promise
      return { json: { message: '', error: null } }
    })
    await using opened = await open('/email_confirm/cf%201')
    await heading(opened.page, 'Confirming Your Email')
    await opened.page.getByText('please wait while we verify your email address').waitFor()
    await expect
      .poll(() => site.received.find(({ path }) => path.startsWith('/auth/confirm-email/'))?.params)
      .toEqual({ confirmation_token: 'cf 1' })
    answer.resolve(undefined)
    await heading(opened.page, 'Email Confirmed!')
  })

  it.each([
    ['cf%201', 'cf 1'],
    ['cf%2F1%2B%3D%23%3F', 'cf/1+=#?'],
    ['cf%252F%2525', 'cf%2F%25'],
    ['cf_%C3%A9', 'cf_é'],
  ])('TRIAL-28 CONFIRM-01 the token %s of the path is sent as %s', async (written, token) => {
    await using opened = await open(`/email_confirm/${written}`)
    await heading(opened.page, 'Email Confirmed!')
    const sent = site.received.filter(({ path }) => path.startsWith('/auth/confirm-email/'))
    expect(sent.map(({ params }) => params)).toEqual([{ confirmation_token: token }])
  })

  it.each(['/email_confirm', '/email_confirm/'])('CONFIRM-02 %s, without a token, redirects to /', async (path) => {
    await using opened = await open(path)
    await opened.page.waitForURL(`${site.url}/`)
  })

  it('CONFIRM-06 CONFIRM-07 CONFIRM-08 CONFIRM-09 success shows the server message and leads to /login', async () => {
    await using opened = await open()
    await heading(opened.page, 'Email Confirmed!')
    await opened.page.getByText('Your email is confirmed.').waitFor()
    await opened.page.getByRole('link', { name: 'Login Now !' }).click()
    await opened.page.waitForURL('**/login')
  })

  it('CONFIRM-10 CONFIRM-11 success has Back to Home, which goes there', async () => {
    await using opened = await open()
    await opened.page.getByRole('button', { name: 'Back to Home' }).click()
    await opened.page.waitForURL(`${site.url}/`)
  })

  it('ERRORS-27 success without a message shows the default text', async () => {
    site.on('confirmEmail', { json: { message: '', error: null } })
    await using opened = await open()
    await opened.page.getByText('Your email has been successfully confirmed!').waitFor()
  })

  it('CONFIRM-12 CONFIRM-15 CONFIRM-16 any other response fails with the server message', async () => {
    site.on('confirmEmail', { status: 404, json: { message: 'This link is not valid.', error: 'invalid' } })
    await using opened = await open()
    await heading(opened.page, 'Confirmation Failed')
    await opened.page.getByText('This link is not valid.').waitFor()
  })

  it('ERRORS-25 a failure without a server message shows the default text', async () => {
    site.on('confirmEmail', { status: 500, json: {} })
    await using opened = await open()
    await opened.page.getByText('Failed to confirm your email. Please try again.').waitFor()
  })

  it.each([
    ['CONFIRM-13 a network exception', { hangUp: true }],
    ['CONFIRM-14 a parse exception', { text: 'not json', headers: { 'Content-Type': 'application/json' } }],
  ])('%s shows the Failure view', async (_title, reply) => {
    site.on('confirmEmail', reply)
    await using opened = await open()
    await heading(opened.page, 'Confirmation Failed')
    await opened.page.getByText('An unexpected error occurred. Please try again later.').waitFor()
  })

  it('ERRORS-26 an exception shows An unexpected error occurred', async () => {
    site.on('confirmEmail', { hangUp: true })
    await using opened = await open()
    await opened.page.getByText('An unexpected error occurred. Please try again later.').waitFor()
  })

  it('CONFIRM-17 CONFIRM-18 Try Again returns to Loading and confirms again', async () => {
    site.on('confirmEmail', { hangUp: true })
    await using opened = await open()
    await heading(opened.page, 'Confirmation Failed')
    const answer = Promise.withResolvers<undefined>()
    site.on('confirmEmail', async () => {
      await answer.promise
      return { json: { message: 'Now it is.', error: null } }
    })
    await opened.page.getByRole('button', { name: 'Try Again' }).click()
    await heading(opened.page, 'Confirming Your Email')
    answer.resolve(undefined)
    await opened.page.getByText('Now it is.').waitFor()
  })

  it('CONFIRM-19 CONFIRM-20 CONFIRM-21 failure has Back to Login, which goes there, and a support address', async () => {
    site.on('confirmEmail', { status: 404, json: { message: 'No.', error: 'invalid' } })
    await using opened = await open()
    const address = opened.page.locator('#content').getByRole('link', { name: /@/ })
    await expect.poll(() => address.getAttribute('href')).toMatch(/^mailto:support@/)
    await opened.page.getByRole('button', { name: 'Back to Login' }).click()
    await opened.page.waitForURL('**/login')
  })

  it.each([
    ['CONFIRM-22 status 410', 410, { message: 'It ended yesterday.', error: null }],
    ['CONFIRM-23 the error field expired', 400, { message: 'It ended yesterday.', error: 'expired' }],
  ])('%s shows the Expired view', async (_title, status, json) => {
    site.on('confirmEmail', { status, json })
    await using opened = await open()
    await heading(opened.page, 'Link Expired')
    await opened.page.getByText('It ended yesterday.').waitFor()
  })

  it('CONFIRM-24 CONFIRM-25 CONFIRM-30 the Expired view has its title, the message and a tip', async () => {
    site.on('confirmEmail', { status: 410, json: { message: 'It ended yesterday.', error: 'expired' } })
    await using opened = await open()
    await heading(opened.page, 'Link Expired')
    await opened.page.getByText('It ended yesterday.').waitFor()
    await opened.page.getByText('check your spam or promotions folder').waitFor()
  })

  it('ERRORS-24 an expired token without a server message shows the default text', async () => {
    site.on('confirmEmail', { status: 410, text: '' })
    await using opened = await open()
    await opened.page.getByText('This confirmation link has expired.').waitFor()
  })

  it('CONFIRM-26 CONFIRM-27 CONFIRM-31 CONFIRM-32 ERRORS-28 Send New Confirmation shows a busy state, then replaces the message', async () => {
    const answer = Promise.withResolvers<undefined>()
    site.on('confirmEmail', { status: 410, json: { message: 'It ended yesterday.', error: 'expired' } })
    site.on('resendConfirmation', async () => {
      await answer.promise
      return { json: { message: 'Whatever the account.' } }
    })
    await using opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Send New Confirmation' }).click()
    await page.getByRole('button', { name: 'Sending...' }).waitFor()
    answer.resolve(undefined)
    await page.getByText('A new confirmation email has been sent to your inbox.').waitFor()
    await expect.poll(() => page.getByText('It ended yesterday.').count()).toBe(0)
    await heading(page, 'Link Expired')
    await page.getByRole('button', { name: 'Send New Confirmation' }).waitFor()
  })

  it.each([
    [
      'ERRORS-29 a resend failure reads the server message',
      { status: 429, json: { message: 'Wait an hour.' } },
      'Wait an hour.',
    ],
    ['ERRORS-30 without one the plain sentence', { status: 500, json: {} }, 'Failed to resend confirmation email.'],
    ['ERRORS-31 an exception its own', { hangUp: true }, 'Failed to resend confirmation email. Please try again.'],
  ])('%s', async (_title, reply, sentence) => {
    site.on('confirmEmail', { status: 410, json: { message: 'Ended.', error: 'expired' } })
    site.on('resendConfirmation', reply)
    await using opened = await open()
    await opened.page.getByRole('button', { name: 'Send New Confirmation' }).click()
    await opened.page.getByText(sentence, { exact: true }).waitFor()
  })

  it('CONFIRM-28 CONFIRM-29 the Expired view has Back to Home, which goes there', async () => {
    site.on('confirmEmail', { status: 410, json: { message: 'Ended.', error: 'expired' } })
    await using opened = await open()
    await opened.page.getByRole('button', { name: 'Back to Home' }).click()
    await opened.page.waitForURL(`${site.url}/`)
  })
})
