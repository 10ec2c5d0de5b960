import { HostedError } from '../../client/hosted/hosted-error.ts'
import { createHostedSession } from '../../client/hosted/hosted-session.ts'
import { getHostedUser, signInHosted, signUpHosted } from '../../client/hosted/hosted.ts'

/** Users of the hosted data backend sign up and in here; the site's own server forwards the calls. */
const session = createHostedSession({
  apiBase: '',
  apiKey: document.querySelector<HTMLMetaElement>('meta[name=api-key]')?.content ?? '',
  storage: localStorage,
})

function find(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`The page has no ${selector}.`)
  return found
}
const entry = find('#entry') as HTMLFormElement
const [email, password] = [find('#email'), find('#password')] as [HTMLInputElement, HTMLInputElement]

function show(error = ''): void {
  const user = session.user()
  entry.hidden = user !== null
  find('#member').hidden = user === null
  find('#who').textContent = user?.email ?? ''
  find('#error').textContent = error
}

/** The message of a HostedError contains the hint. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  show()
  try {
    await work()
    show()
  } catch (error) {
    if (!(error instanceof HostedError)) throw error
    show(error.message)
  }
}

entry.addEventListener('submit', (event) => {
  event.preventDefault()
  const body = { email: email.value, password: password.value }
  const isNew = (event.submitter as HTMLButtonElement | null)?.value === 'sign-up'
  void attempt(async () => {
    await (isNew ? signUpHosted(session, body) : signInHosted(session, body))
    entry.reset()
  })
})
find('#leave').addEventListener('click', () => {
  session.forget()
  show()
})

show()
// A user of an earlier visit, as stored in the backend.
if (session.token() !== null) void attempt(() => getHostedUser(session))
