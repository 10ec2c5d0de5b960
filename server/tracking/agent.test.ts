import { expect, it } from 'vitest'
import { agentHash, describeAgent } from './agent.ts'

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    { family: 'Firefox', os: 'Windows', verdict: null },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    { family: 'Safari', os: 'iOS', verdict: null },
  ],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', { verdict: 3 }],
  ['TelegramBot (like TwitterBot)', { verdict: 3 }],
  ['WhatsApp/2.23.20.0', { verdict: 3 }],
  ['Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)', { verdict: 3 }],
  ['SkypeUriPreview Preview/0.5', { verdict: 3 }],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', { verdict: 3 }],
  ['curl/8.5.0', { verdict: 3 }],
  ['python-requests/2.32', { verdict: 3 }],
  ['', { family: null, os: null, verdict: 3 }],
])('reads %j', (text, expected) => {
  expect(describeAgent(text)).toMatchObject(expected)
})

it('keeps 500 characters, and hashes those alone', () => {
  const { text, hash } = describeAgent('x'.repeat(600))
  expect(text).toHaveLength(500)
  expect(hash).toEqual(agentHash('x'.repeat(9000)))
  expect(hash).toHaveLength(8)
})
