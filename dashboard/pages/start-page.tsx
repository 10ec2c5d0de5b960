import { ButtonLink } from '../../widgets/kit/button.tsx'

/** /: what the product does, in a sentence and a picture, and the way in. */
export function StartPage() {
  return (
    <div className="start">
      <div className="start-words">
        <h1>
          Send from the mailbox <em>you already own.</em>
        </h1>
        <p>
          Connect a mailbox, write one message, send it to each recipient alone. From this dashboard or from one line of
          code, with every recipient accounted for.
        </p>
        <div className="start-actions">
          <ButtonLink kind="primary" href="/signup">
            Start For Free
          </ButtonLink>
          <ButtonLink href="/login">Sign in</ButtonLink>
        </div>
      </div>
      <figure className="start-picture" aria-label="A message and the call that sends the same from code">
        <div className="start-window">
          <div className="start-code">
            <div>
              curl -X POST …/api/send-mail/<b>ck_••••••••</b>
            </div>
            <div>
              &nbsp;&nbsp;-d '{'{'}"recipient_list": ["…"], "subject": "…", "content": "…"{'}'}'
            </div>
          </div>
          <dl>
            <div>
              <dt>From</dt>
              <dd>
                <b>studio@northwind.example</b>
              </dd>
            </div>
            <div>
              <dt>Recipients</dt>
              <dd>visitor-1@example.org, visitor-2@example.org</dd>
            </div>
            <div>
              <dt>Subject</dt>
              <dd>
                Doors open Thursday, <code>{'{{first_name}}'}</code>
              </dd>
            </div>
          </dl>
          <div className="start-body">
            <p>
              Dear <code>{'{{first_name}}'}</code>,
            </p>
            <p>we kept two places for you. The new galleries open at six.</p>
          </div>
          <div className="start-foot">
            <span className="start-sent" aria-hidden="true" />
            Sent to 2 of 2
          </div>
        </div>
      </figure>
    </div>
  )
}
