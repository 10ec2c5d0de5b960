import { Logo } from '../../shell/logo.tsx'
import { Postmark } from '../landing/postmark.tsx'

/** What stands where no page is: it runs no script and is sent with status 404. */
export function NotFoundPage() {
  return (
    <main className="not-found">
      <Logo />
      <Postmark ring="RETURN TO SENDER" middle={['404', 'NOT HERE']} />
      <h1>Nothing is delivered here.</h1>
      <p>
        The address is misspelt, or what stood here has moved. Begin again at the <a href="/">front page</a>, in the{' '}
        <a href="/docs">documentation</a> or on your <a href="/dashboard">dashboard</a>.
      </p>
    </main>
  )
}
