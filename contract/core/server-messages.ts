/**
 * Sentences of answers that are more exact than the one of their error code, and those of a success. `{name}` is a
 * value. A page may show each of them: the translations have the same keys.
 */
export const serverMessages = {
  session_quota_used: 'This session has reached its sending limit.',
  embed_day_quota_used: 'This embed has reached its sending limit for today.',
  mailbox_not_in_embed: 'This mailbox is already connected, and this embed is not allowed to use it.',
  embed_scope_missing: 'This embed session does not have the scope {scope}.',
  mailbox_paused_because: 'The mailbox {address} is paused. {reason}',
  mailbox_paused_by_owner: 'A member of this workspace paused it.',
  mail_server_reply: '{sentence} The mail server said: “{reply}”',
  app_password_control: 'The app password contains a line break or a control character; copy it again.',
  smtp_host_missing:
    'The address’s domain names no mail server. Fill in “Mail server”: your provider’s help page gives it, such as smtp.example.com.',
  /** Spec §7; singular and plural. */
  email_sent: 'Email sent successfully to {count} recipient|Email sent successfully to {count} recipients',
} as const

type MessageKey = keyof typeof serverMessages
type PlaceholderOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | PlaceholderOf<Rest> : never

/** A sentence of `serverMessages` with its values; `count` chooses between singular and plural. */
export function serverMessage<Key extends MessageKey>(
  key: Key,
  values: Readonly<Record<PlaceholderOf<(typeof serverMessages)[Key]>, string | number>>,
): string {
  const byName: Readonly<Record<string, string | number>> = values
  const form = serverMessages[key].split('|').at(byName['count'] === 1 ? 0 : -1) ?? ''
  return form.replace(/\{(\w+)\}/g, (_, name: string) => String(byName[name]))
}
