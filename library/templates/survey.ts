import type { TemplateAbout } from '../template.ts'

export const survey: TemplateAbout = {
  slug: 'survey',
  kind: 'marketing',
  category: 'Relationships',
  name: 'Survey',
  description: 'One question and five squares from pale to deep green; pressing one is the whole survey.',
  subject: 'One question, five squares',
  sample: {
    first_name: 'Imani',
    question: 'Was it easy to find what you came for?',
    survey_url: 'https://example.com/survey/31',
    sender_name: 'Ruth',
  },
}
