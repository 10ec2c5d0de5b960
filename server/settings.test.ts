import { describe, expect, it } from 'vitest'
import { readSettings, StartError } from './settings.ts'

const readKey = `hr_${'a'.repeat(43)}`
const writeKey = `hw_${'a'.repeat(43)}`
const read = (environment: Record<string, string>) => readSettings(environment, '/srv/mail', false)

describe('settings', () => {
  it('an empty environment serves this machine on port 4000 with an embedded database and the sandbox', () => {
    expect(read({})).toEqual({
      port: 4000,
      host: '127.0.0.1',
      publicUrl: null,
      imageOrigin: null,
      dataDir: '/srv/mail/data',
      databaseUrl: null,
      databaseDirectUrl: null,
      secretKeyFile: '/srv/mail/data/secret.key',
      systemSmtpUrl: null,
      smtpAllow: [],
      imapAllow: [],
      readsInbox: true,
      sandbox: true,
      trustedProxies: [],
      google: null,
      workerCount: 1,
      hosted: null,
      callsPerSecond: 100,
      keepMonths: null,
      mailApplications: { gmail: null, outlook: null },
      metricsToken: null,
      metricsPort: null,
      networksFile: null,
      spamFilter: null,
      logLevel: 'info',
    })
  })

  it('the key file is in the data folder by default', () => {
    expect(read({ DATA_DIR: '/var/mail' }).secretKeyFile).toBe('/var/mail/secret.key')
    expect(read({ DATA_DIR: '/var/mail', SECRET_KEY_FILE: 'k' }).secretKeyFile).toBe('/srv/mail/k')
  })

  it('relays of the operator are pairs of host and port', () => {
    expect(read({ SMTP_ALLOW: 'relay.internal:25, [::1]:2525,10.0.0.3:587' }).smtpAllow).toEqual([
      { host: 'relay.internal', port: 25 },
      { host: '::1', port: 2525 },
      { host: '10.0.0.3', port: 587 },
    ])
  })

  it('proxies are addresses and networks', () => {
    expect(read({ TRUSTED_PROXIES: '10.0.0.0/8, ::1 fd00::/8' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '::1',
      'fd00::/8',
    ])
  })

  it('Google sign-in is enabled by its client id, another issuer by its URL', () => {
    const client = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
    expect(read(client).google?.issuer.href).toBe('https://accounts.google.com/')
    expect(read({ ...client, GOOGLE_ISSUER: 'http://127.0.0.1:9000' }).google).toMatchObject({
      issuer: new URL('http://127.0.0.1:9000'),
      clientId: 'id',
      clientSecret: 'secret',
    })
  })

  it.each([
    ['production', { NODE_ENV: 'production' }],
    ['a host that others reach', { HOST: '0.0.0.0' }],
    ['a public address', { PUBLIC_URL: 'https://mail.example.com' }],
    ['SANDBOX=off', { SANDBOX: 'off' }],
  ])('the sandbox is off with %s', (_what, environment) => {
    expect(read(environment).sandbox).toBe(false)
  })

  it('on a terminal request lines are not logged', () => {
    expect(readSettings({}, '/srv/mail', true).logLevel).toBe('warn')
    expect(readSettings({ NODE_ENV: 'production' }, '/srv/mail', true).logLevel).toBe('info')
  })

  it.each([
    [{ PORT: '4000x' }, 'PORT is “4000x”'],
    [{ PORT: '70000' }, 'from 0 to 65535'],
    [{ WORKERS: '-1' }, 'WORKERS is “-1”'],
    [{ PUBLIC_URL: 'mail.example.com' }, 'PUBLIC_URL is “mail.example.com”'],
    [{ PUBLIC_URL: 'https://example.com/mail' }, 'without a path'],
    [{ DATABASE_URL: 'mysql://root:hunter2@db/x' }, 'DATABASE_URL is not a PostgreSQL address'],
    [{ DATABASE_URL: 'postgres://db/x', DATABASE_DIRECT_URL: 'db' }, 'DATABASE_DIRECT_URL is not a PostgreSQL address'],
    [{ HOSTED_API_KEY: 'hr_1' }, 'HOSTED_API_KEY is set without HOSTED_API_URL'],
    [{ HOSTED_API_URL: 'data.example.com', HOSTED_API_KEY: readKey }, 'HOSTED_API_URL is not an address'],
    [{ HOSTED_API_URL: 'https://data.example.com' }, 'HOSTED_API_KEY is not a read key'],
    [{ HOSTED_API_URL: 'https://data.example.com', HOSTED_API_KEY: writeKey }, 'HOSTED_API_KEY is not a read key'],
    [{ SYSTEM_SMTP_URL: 'mail.example.com:25' }, 'SYSTEM_SMTP_URL is not an SMTP address'],
    [{ SMTP_ALLOW: 'relay.internal' }, 'SMTP_ALLOW contains “relay.internal”'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES contains “10.0.0.0/33”'],
    [{ TRUSTED_PROXIES: 'proxy.internal' }, 'TRUSTED_PROXIES contains “proxy.internal”'],
    [{ GOOGLE_CLIENT_ID: 'id' }, 'GOOGLE_CLIENT_SECRET is missing'],
    [{ GOOGLE_CLIENT_SECRET: 'secret' }, 'GOOGLE_CLIENT_ID is missing'],
    [{ GOOGLE_ISSUER: 'http://login.example.com' }, 'GOOGLE_ISSUER is “http://login.example.com”'],
    [{ SANDBOX: 'yes' }, 'SANDBOX is “yes”; set it to on or off'],
    [{ SANDBOX: 'on', HOST: '0.0.0.0' }, 'SANDBOX is on while HOST'],
    [{ GOOGLE_MAIL_CLIENT_ID: 'id' }, 'GOOGLE_MAIL_CLIENT_SECRET is missing'],
    [{ MICROSOFT_MAIL_ISSUER: 'http://example.com' }, 'MICROSOFT_MAIL_ISSUER is “http://example.com”'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN is too short'],
    [{ METRICS_PORT: '70000' }, 'METRICS_PORT is “70000”; set it to a whole number from 0 to 65535'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is “loud”'],
  ])('%j stops the start with a message that names the setting and the remedy', (environment, sentence) => {
    const start = () => read(environment)
    expect(start).toThrow(StartError)
    expect(start).toThrow(sentence)
  })

  it('H57 a password in a malformed URL is not in the message', () => {
    expect(() => read({ DATABASE_URL: 'mysql://root:hunter2@db/x' })).toThrow(/^(?!.*hunter2)/)
    expect(() => read({ SYSTEM_SMTP_URL: 'mailto:me:hunter2@db' })).toThrow(/^(?!.*hunter2)/)
    expect(() => read({ HOSTED_API_URL: 'https://me:hunter2@db' })).toThrow(/^(?!.*hunter2)/)
    expect(() => read({ HOSTED_API_URL: 'https://db', HOSTED_API_KEY: 'hunter2' })).toThrow(/^(?!.*hunter2)/)
  })
})
