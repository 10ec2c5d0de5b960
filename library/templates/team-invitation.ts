import type { TemplateAbout } from '../template.ts'

export const teamInvitation: TemplateAbout = {
  slug: 'team-invitation',
  kind: 'transactional',
  category: 'Account',
  name: 'Team invitation',
  description: 'Somebody asks a colleague into a team: two squares, one of them still to be filled.',
  subject: '{{inviter_name | default: "A colleague"}} would like you on the team',
  sample: {
    inviter_name: 'Ruth',
    inviter_initial: 'R',
    team_name: 'Spring catalogue',
    invitation_url: 'https://example.com/join/7f3a',
    expires_on: '18 March',
  },
}
