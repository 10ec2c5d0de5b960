import { ButtonLink } from '../../../widgets/kit/button.tsx'
import { Icon } from '../../../widgets/kit/icon.tsx'
import { circle, circleCheck } from '../../../widgets/kit/icons.ts'

/** What a new account does first, each step ticked off once it is done. */
export function NextSteps({ activeCount, isWritten }: { activeCount: number; isWritten: boolean }) {
  const isConnected = activeCount > 0
  const steps = [
    {
      isDone: isConnected,
      title: 'Connect a mailbox',
      text: isConnected ? `${activeCount.toLocaleString()} active` : 'The address that your mail is sent from.',
      href: '/dashboard/email_config#add',
      act: isConnected ? 'Manage' : 'Connect',
    },
    {
      isDone: isWritten,
      title: 'Write a message',
      text: isWritten ? 'You have a draft.' : 'HTML, with merge variables and a live preview.',
      href: '/dashboard/send_email',
      act: isWritten ? 'Continue' : 'Write',
    },
    {
      isDone: false,
      title: 'Send it',
      text: 'Each recipient gets a separate mail.',
      href: '/dashboard/send_email',
      act: 'Send',
    },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section className="panel" aria-label="Next steps">
      <h2>Next steps</h2>
      <ol className="steps">
        {steps.map(({ isDone, title, text, href, act }, at) => (
          <li key={title} className={isDone ? 'step done' : 'step'}>
            <span className="step-mark" role="img" aria-label={isDone ? 'Done' : 'To do'}>
              <Icon of={isDone ? circleCheck : circle} size={20} />
            </span>
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
            <ButtonLink href={href} {...(at === next && { kind: 'primary' as const })}>
              {act}
            </ButtonLink>
          </li>
        ))}
      </ol>
    </section>
  )
}
