import { Logo } from '../../shell/logo.tsx'
import { Postmark } from '../landing/postmark.tsx'

/** What stands where no page is: it runs no script and is sent with status 404. */
export function NotFoundPage() {
  return (
    <main className="not-found">
      <Logo />
      <Postmark ring="RETURN TO SENDER" middle={['404', 'NOT HERE']} />
      <h1>Page not found</h1>
      <p>
        The address is misspelled, or the page has moved. Go to the <a href="/">home page</a>, the{' '}
        <a href="/docs">documentation</a> or your <a href="/dashboard">dashboard</a>.
      </p>
    </main>
  )
}
