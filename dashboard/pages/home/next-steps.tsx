import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { circle, circleCheck } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** The first steps of a new account, with their state. */
export function NextSteps({ activeCount, isWritten }: { activeCount: number; isWritten: boolean }) {
  const t = useText()
  const isConnected = activeCount > 0
  const steps = [
    {
      isDone: isConnected,
      title: t('Connect a mailbox'),
      text: isConnected ? t('{activeCount} active', { activeCount }) : t('The address that your mail is sent from.'),
      href: '/dashboard/email_config#add',
      act: isConnected ? t('Manage') : t('Connect'),
    },
    {
      isDone: isWritten,
      title: t('Write a message'),
      text: isWritten ? t('You have a draft.') : t('With merge variables and a live preview.'),
      href: '/dashboard/send_email',
      act: isWritten ? t('Continue') : t('Write'),
    },
    {
      isDone: false,
      title: t('Send it'),
      text: t('Each recipient gets a separate mail.'),
      href: '/dashboard/send_email',
      act: t('Send'),
    },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section className="panel" aria-label={t('Next steps')}>
      <h2>{t('Next steps')}</h2>
      <ol className="steps">
        {steps.map(({ isDone, title, text, href, act }, at) => (
          <li key={title} className={isDone ? 'step done' : 'step'}>
            <span className="step-mark" role="img" aria-label={isDone ? t('Done') : t('To do')}>
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
