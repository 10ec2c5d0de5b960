import type { TemplateAbout } from '../template.ts'

export const changelog: TemplateAbout = {
  slug: 'changelog',
  kind: 'marketing',
  category: 'Newsletters',
  name: 'Changelog',
  description: 'A release as its readers care about it: the version in very large type, added, changed, fixed.',
  subject: '{{version | default: "New"}}: undo, everywhere',
  sample: {
    version: 'v2.4',
    release_date: '11 March 2025',
    deadline: 'Monday 31 March',
    changelog_url: 'https://example.com/changelog',
    company: 'Northlight',
    postal_address: 'Northlight, 5 Harbour Walk, Dundee DD1 4HN',
  },
}
