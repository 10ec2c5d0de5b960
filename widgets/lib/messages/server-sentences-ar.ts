import type { sentences as spanish } from './server-sentences-es.ts'

/** Sentences of the server and of a session in Arabic. */
export const sentences: Readonly<Record<keyof typeof spanish, string>> = {
  'The body is not valid JSON. Send one JSON object in UTF-8.':
    'المحتوى ليس JSON صالحًا. أرسل كائن JSON واحدًا بترميز UTF-8.',
  'The mail server refused this address and app password. Check both.':
    'رفض خادم البريد هذا العنوان وكلمة مرور التطبيق. تحقق منهما.',
  'The mail server cannot be reached. Check its host, port and security.':
    'لا يمكن الوصول إلى خادم البريد. تحقق من اسمه ومنفذه وأمانه.',
  'This code has ended, was used already, or is another page’s. Ask for consent again.':
    'انتهى هذا الرمز أو استُخدم من قبل أو يخص صفحة أخرى. اطلب الموافقة من جديد.',
  'The API key is missing, unknown or revoked. Send one in the x-api-key header.':
    'مفتاح API مفقود أو غير معروف أو ملغى. أرسل مفتاحًا في الترويسة x-api-key.',
  'Sign in first: the access token is missing, has ended or was revoked.':
    'سجّل الدخول أولًا: رمز الوصول مفقود أو منتهٍ أو ملغى.',
  'This embed session has ended or was revoked. Open a new one.': 'انتهت جلسة هذه الصفحة أو أُلغيت. افتح جلسة جديدة.',
  'Confirm your email address first: open the link in the mail we sent you.':
    'أكّد عنوان بريدك أولًا: افتح الرابط في الرسالة التي أرسلناها إليك.',
  'An access token must not be used in another site’s page. Use an embed session there.':
    'لا يجوز استخدام رمز وصول في صفحة موقع آخر. استخدم جلسة مخصصة للصفحة.',
  'An embed session may not do this.': 'لا يُسمح بهذا من هذه الصفحة.',
  'This page’s origin is not among the allowed origins of the embed. Add it in the dashboard, under Embeds.':
    'أصل هذه الصفحة ليس من الأصول المسموح بها. أضفه في لوحة التحكم ضمن Embeds.',
  'This API key may not do this in this collection.': 'لا يُسمح لمفتاح API هذا بذلك في هذه المجموعة.',
  'No email configuration matches. Check the secret key or the id.':
    'لا يوجد إعداد بريد مطابق. تحقق من المفتاح السري أو المعرّف.',
  'No message has this id.': 'لا توجد رسالة بهذا المعرّف.',
  'No template has this template_key. Check its spelling, or send content instead.':
    'لا يوجد قالب بهذا template_key. تحقق من كتابته أو أرسل المحتوى بدلًا منه.',
  'No template has this id.': 'لا يوجد قالب بهذا المعرّف.',
  'No embed has this id.': 'لا يوجد تضمين بهذا المعرّف.',
  'No document has this id in this collection.': 'لا يوجد مستند بهذا المعرّف في هذه المجموعة.',
  'A call with this Idempotency-Key is under way. Repeat it in a moment.': 'الطلب نفسه قيد التنفيذ. كرّره بعد لحظات.',
  'This mailbox is paused. Connect it again before you send.':
    'صندوق البريد هذا متوقف مؤقتًا. اربطه من جديد قبل الإرسال.',
  'You do not have the permission for this. Ask an owner or admin of the workspace.':
    'ليس لديك إذن لهذا. اطلبه من مالك مساحة العمل أو من مسؤولها.',
  'This embed is paused. Its owner can resume it in the dashboard.':
    'هذا التضمين متوقف مؤقتًا. يمكن لمالكه استئنافه من لوحة التحكم.',
  'There are 10,000 templates already. Delete one before you save another.':
    'يوجد 10,000 قالب بالفعل. احذف قالبًا قبل حفظ آخر.',
  'The body is larger than 1 MB. Send less at once.': 'المحتوى أكبر من 1 ميغابايت. أرسل أقل في المرة الواحدة.',
  'Send the body as application/json, without compression.': 'أرسل المحتوى بصيغة application/json دون ضغط.',
  'The request does not have the expected shape.': 'الطلب ليس بالشكل المتوقع.',
  'This Idempotency-Key was used for another call. Use a new key for a new call.':
    'استُخدم Idempotency-Key هذا لطلب آخر. استخدم مفتاحًا جديدًا لكل طلب جديد.',
  'Too many attempts. Wait a while, then try again.': 'محاولات كثيرة جدًا. انتظر قليلًا ثم حاول مجددًا.',
  'Too many calls. Wait a moment, then go on more slowly.': 'طلبات كثيرة جدًا. انتظر لحظة ثم تابع بوتيرة أبطأ.',
  'This embed has sent as much as it may. Its owner can raise the limit.':
    'أُرسل من هنا كل ما يُسمح به. يمكن للمالك رفع الحد.',
  'Too many mails are waiting to be sent. Try again when some have left.':
    'رسائل كثيرة جدًا تنتظر الإرسال. حاول مجددًا بعد خروج بعضها.',
  'Something went wrong on our side. Try again in a moment.': 'حدث خطأ لدينا. حاول مجددًا بعد لحظات.',
  'The mail server refused the message for every recipient.': 'رفض خادم البريد الرسالة لجميع المستلمين.',
  'The hosted data backend cannot be reached. Try again in a moment.':
    'لا يمكن الوصول إلى خدمة البيانات. حاول مجددًا بعد لحظات.',
  'The list took too long. Add a filter on equality, or ask for fewer documents.':
    'استغرقت القائمة وقتًا طويلًا. أضف مرشّح مساواة أو اطلب مستندات أقل.',
  'The database is away for a moment. Try again in a few seconds.':
    'قاعدة البيانات غير متاحة مؤقتًا. حاول مجددًا بعد ثوانٍ.',
  'The service is starting or stopping. Try again in a moment.': 'الخدمة قيد التشغيل أو الإيقاف. حاول مجددًا بعد لحظات.',
  'This session has sent as much as it may.': 'أرسلت هذه الجلسة كل ما يُسمح به.',
  'This embed has sent as much as it may today.': 'أُرسل من هنا اليوم كل ما يُسمح به.',
  'This mailbox is connected already, and this embed may not use it.':
    'صندوق البريد هذا مربوط بالفعل ولا يجوز استخدامه من هنا.',
  'This embed session does not have the scope {}.': 'لا تملك هذه الجلسة الصلاحية {}.',
  'The mailbox {} is paused. {}': 'صندوق البريد {} متوقف مؤقتًا. {}',
  'Somebody of this workspace paused it.': 'أوقفه أحد أعضاء مساحة العمل هذه.',
  '{} The mail server said: “{}”': '{} قال خادم البريد: «{}»',
  'The app password has a line break or a control character in it; copy it again.':
    'تحتوي كلمة مرور التطبيق على فاصل أسطر أو محرف تحكم؛ انسخها من جديد.',
  'Gmail refused this app password. Turn on 2-Step Verification for the Google account, make an app password at https://myaccount.google.com/apppasswords and paste it here: the ordinary password does not work.':
    'رفض Gmail كلمة مرور التطبيق هذه. فعّل التحقق بخطوتين لحساب Google، وأنشئ كلمة مرور تطبيق على https://myaccount.google.com/apppasswords ثم الصقها هنا: كلمة المرور العادية لا تعمل.',
  'Google holds this sign-in back. Sign in to the account in a browser, confirm that it was you, then connect it again with an app password from https://myaccount.google.com/apppasswords.':
    'أوقف Google تسجيل الدخول هذا. سجّل الدخول إلى الحساب في المتصفح، وأكّد أنك أنت، ثم اربطه من جديد بكلمة مرور تطبيق من https://myaccount.google.com/apppasswords.',
  'Microsoft ended app passwords for personal Outlook, Hotmail, Live and MSN accounts on 16 September 2024 and accepts only its own sign-in (OAuth) there, which needs no app password: connect the mailbox by signing in with Microsoft where this server offers it, or use one of another provider.':
    'أوقفت Microsoft كلمات مرور التطبيقات لحسابات Outlook وHotmail وLive وMSN الشخصية في 16 سبتمبر 2024، ولا تقبل فيها إلا تسجيل الدخول الخاص بها (OAuth) الذي لا يحتاج إلى كلمة مرور تطبيق: اربط الصندوق بتسجيل الدخول عبر Microsoft حيث يتيحه هذا الخادم، أو استخدم صندوقًا لدى مزوّد آخر.',
  'This Microsoft 365 organisation does not let mailboxes sign in to SMTP with a password. Ask its administrator to allow “Authenticated SMTP” for this mailbox; where Microsoft has ended passwords altogether only its own sign-in (OAuth) works: connect the mailbox by signing in with Microsoft where this server offers it.':
    'لا تسمح مؤسسة Microsoft 365 هذه لصناديق البريد بتسجيل الدخول إلى SMTP بكلمة مرور. اطلب من المسؤول السماح بـ «Authenticated SMTP» لهذا الصندوق؛ وحيث أوقفت Microsoft كلمات المرور كليًا لا يعمل إلا تسجيل الدخول الخاص بها (OAuth): اربط الصندوق بتسجيل الدخول عبر Microsoft حيث يتيحه هذا الخادم.',
  'Microsoft refused this address and app password. Make an app password under Security info at https://mysignins.microsoft.com/security-info, and have an administrator allow “Authenticated SMTP” for the mailbox.':
    'رفضت Microsoft هذا العنوان وكلمة مرور التطبيق. أنشئ كلمة مرور تطبيق ضمن معلومات الأمان على https://mysignins.microsoft.com/security-info، واطلب من مسؤول السماح بـ «Authenticated SMTP» للصندوق.',
  'Yahoo refused this app password. Make one at https://login.yahoo.com/account/security under “Generate app password” and paste it here: the ordinary password does not work.':
    'رفض Yahoo كلمة مرور التطبيق هذه. أنشئ واحدة على https://login.yahoo.com/account/security ضمن «إنشاء كلمة مرور تطبيق» والصقها هنا: كلمة المرور العادية لا تعمل.',
  'The mail server refused this address and password. Check both; many providers want an app password, made in the account’s security settings, in place of the ordinary one.':
    'رفض خادم البريد هذا العنوان وكلمة المرور. تحقق منهما؛ يطلب كثير من المزوّدين كلمة مرور تطبيق تُنشأ في إعدادات أمان الحساب بدل كلمة المرور العادية.',
  'The mail server did not take the sign-in for this address. Sign in at the provider with exactly this mailbox, and have an administrator allow “Authenticated SMTP” where it is an organisation’s.':
    'لم يقبل خادم البريد تسجيل الدخول لهذا العنوان. سجّل الدخول لدى المزوّد بهذا الصندوق نفسه، واطلب من مسؤول السماح بـ «Authenticated SMTP» إن كان تابعًا لمؤسسة.',
  'The provider has ended the permission to send from this mailbox: it was withdrawn, its password was changed, or it was not used for long. Connect the mailbox again at its provider.':
    'أنهى المزوّد إذن الإرسال من هذا الصندوق: سُحب الإذن أو تغيّرت كلمة المرور أو لم يُستخدم منذ وقت طويل. اربط الصندوق من جديد لدى مزوّده.',
  'This server is no longer set up to sign in with the mailbox’s provider. Its operator has to set it up again, or connect the mailbox with an app password.':
    'لم يعد هذا الخادم مهيأً لتسجيل الدخول لدى مزوّد الصندوق. على مشغّله إعداد ذلك من جديد أو ربط الصندوق بكلمة مرور تطبيق.',
  'The mail server has seen too many sign-ins for this mailbox. Wait an hour, then connect it again.':
    'رصد خادم البريد عمليات دخول كثيرة جدًا لهذا الصندوق. انتظر ساعة ثم اربطه من جديد.',
  'The mail server cannot take this sign-in right now. Try again in a few minutes.':
    'لا يستطيع خادم البريد قبول تسجيل الدخول الآن. حاول مجددًا بعد بضع دقائق.',
  'This mail server offers no sign-in on this port. Check “Port” and “Security”: 465 with TLS, or 587 with STARTTLS.':
    'لا يتيح خادم البريد هذا تسجيل الدخول على هذا المنفذ. تحقق من المنفذ وأمانه: 465 مع tls، أو 587 مع starttls.',
  'The mail server turned the connection away before the sign-in. Try again later; if that does not help, ask its operator why.':
    'رفض خادم البريد الاتصال قبل تسجيل الدخول. حاول لاحقًا؛ وإن لم يُجدِ ذلك فاسأل مشغّله عن السبب.',
  'No public mail server has this name. Check the spelling in “Mail server” and give the name that the provider publishes.':
    'لا يوجد خادم بريد عام بهذا الاسم. تحقق من كتابة اسم الخادم وأدخل الاسم الذي ينشره مزوّد الخدمة.',
  'The name of the mail server could not be looked up right now. Try again in a few minutes.':
    'تعذّر البحث عن اسم خادم البريد الآن. حاول مجددًا بعد بضع دقائق.',
  'Mail servers take mail for sending on port 465 (TLS) or 587 (STARTTLS) only. Set “Port” to one of them.':
    'يُسلَّم البريد عبر المنفذ 465 (tls) أو 587 (starttls) فقط. اختر أحدهما.',
  'App passwords are never sent without encryption. Set “Security” to TLS (port 465) or STARTTLS (port 587).':
    'لا تُرسل كلمات مرور التطبيقات دون تشفير أبدًا. اختر الأمان tls (المنفذ 465) أو starttls (المنفذ 587).',
  'Fill in “Mail server” for a mailbox of another provider.': 'أدخل اسم خادم البريد لصندوق لدى مزوّد آخر.',
  'The mail server does not accept connections on this port. Check “Mail server” and “Port”: 465 with TLS, or 587 with STARTTLS.':
    'لا يقبل خادم البريد الاتصالات على هذا المنفذ. تحقق من الخادم والمنفذ: 465 مع tls، أو 587 مع starttls.',
  'The mail server did not answer in time. Check “Mail server” and “Port”; some networks block outgoing mail ports.':
    'لم يردّ خادم البريد في الوقت المناسب. تحقق من الخادم والمنفذ؛ فبعض الشبكات تحظر منافذ البريد الصادر.',
  'The mail server does not offer encryption (STARTTLS) on this port, so the app password was not sent. Try port 465 with TLS.':
    'لا يوفر خادم البريد التشفير (STARTTLS) على هذا المنفذ، لذا لم تُرسل كلمة مرور التطبيق. جرّب المنفذ 465 مع tls.',
  'The mail server does not use TLS on this port in this way. Set “Security” to TLS with port 465, to STARTTLS with port 587.':
    'لا يستخدم خادم البريد TLS بهذه الطريقة على هذا المنفذ. استخدم tls مع المنفذ 465، وstarttls مع المنفذ 587.',
  'The mail server’s certificate is not signed by an authority that is trusted here, so the app password was not sent. Its operator must install a valid certificate.':
    'شهادة خادم البريد غير موقّعة من جهة موثوقة هنا، لذا لم تُرسل كلمة مرور التطبيق. على مشغّله تثبيت شهادة صالحة.',
  'The mail server’s certificate has expired, so the app password was not sent. Its operator must renew it.':
    'انتهت صلاحية شهادة خادم البريد، لذا لم تُرسل كلمة مرور التطبيق. على مشغّله تجديدها.',
  'The mail server’s certificate is for another name, so the app password was not sent. Set “Mail server” to the name that the provider gives for sending.':
    'شهادة خادم البريد لاسم آخر، لذا لم تُرسل كلمة مرور التطبيق. أدخل الاسم الذي يحدده المزوّد للإرسال.',
  'No secure connection to the mail server came about, so the app password was not sent. Check “Port” and “Security”.':
    'لم يتم اتصال آمن بخادم البريد، لذا لم تُرسل كلمة مرور التطبيق. تحقق من المنفذ والأمان.',
  'The connection to the mail server broke. Try again; if it happens each time, check “Mail server” and “Port”.':
    'انقطع الاتصال بخادم البريد. حاول مجددًا؛ وإن تكرر ذلك فتحقق من الخادم والمنفذ.',
  'The provider’s mail server cannot be reached from here. Try again in a few minutes; some networks block outgoing mail ports.':
    'تعذّر الوصول إلى خادم بريد المزوّد من هنا. حاول مجددًا بعد بضع دقائق؛ فبعض الشبكات تحظر منافذ البريد الصادر.',
  'No secure connection to the mail server came about, so the app password was not sent. Try again in a few minutes.':
    'لم يتم اتصال آمن بخادم البريد، لذا لم تُرسل كلمة مرور التطبيق. حاول مجددًا بعد بضع دقائق.',
  'The address’s domain names no mail server. Fill in “Mail server”: your provider’s help page gives it, such as smtp.example.com.':
    'لا يذكر نطاق العنوان أي خادم بريد. املأ «خادم البريد»: تذكره صفحة مساعدة مزوّدك، مثل smtp.example.com.',
  'Its stored secrets do not open with the server’s key. Connect it again with its app password.':
    'لا تُفتح أسراره المحفوظة بمفتاح الخادم. اربطه من جديد بكلمة مرور التطبيق.',
  'The mailbox has reached its provider’s sending limit. Sending resumes automatically later.':
    'بلغ الصندوق حد الإرسال لدى مزوّده. يُستأنف الإرسال تلقائيًا لاحقًا.',
  'The site answered something else than a session.': 'ردّ الموقع بشيء غير جلسة.',
  'This site does not let you in here. Sign in to it and try again.':
    'لا يسمح لك هذا الموقع بالدخول هنا. سجّل الدخول إليه وحاول مرة أخرى.',
  'This site gave no session to work with. Try again later.': 'لم يقدّم هذا الموقع جلسة للعمل بها. حاول لاحقًا.',
  'The browser has blocked the sign-in window. Allow pop-ups for this site and try again.':
    'حظر المتصفح نافذة تسجيل الدخول. اسمح بالنوافذ المنبثقة لهذا الموقع وحاول مرة أخرى.',
  'The sign-in could not be finished. Check the connection.': 'تعذّر إتمام تسجيل الدخول. تحقق من الاتصال.',
  'You did not allow this page to use your mailbox.': 'لم تسمح لهذه الصفحة باستخدام صندوق بريدك.',
  'The sign-in window was closed or cut off. If it is still open, the owner of this site has to send the header Cross-Origin-Opener-Policy: same-origin-allow-popups.':
    'أُغلقت نافذة تسجيل الدخول أو انقطعت. إن كانت لا تزال مفتوحة، فعلى مالك الموقع إرسال الترويسة Cross-Origin-Opener-Policy: same-origin-allow-popups.',
  'With its variables filled the mail is larger than 10 MB, or its subject longer than 998 characters.':
    'بعد ملء متغيراتها تتجاوز الرسالة 10 ميغابايت، أو يتجاوز موضوعها 998 حرفًا.',
  'The body arrived too slowly: send at least 1 kB a second. Send it again over a faster connection.':
    'وصلت البيانات ببطء شديد: أرسل 1 كيلوبايت في الثانية على الأقل. أعد إرسالها عبر اتصال أسرع.',
  'Your address holds too many connections open. Close some, or use each for several calls.':
    'عنوانك يُبقي اتصالات كثيرة مفتوحة. أغلق بعضها، أو استخدم كل اتصال لعدة طلبات.',
  'Email sent successfully to {} recipients': 'تم إرسال البريد إلى {} من المستلمين',
  'Email sent successfully to {} recipient': 'تم إرسال البريد إلى مستلم واحد ({})',
}
