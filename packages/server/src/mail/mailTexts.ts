import type { FrameLanguage } from '@gatefold/protocol/frame'

/** Strings of the mails in English. `{origin}` is the site from which the mail was requested. */
const en = {
  'code.login': 'Your code to log in',
  'code.email-primary': 'Your code to change your email address',
  'code.email-secondary': 'Your code to confirm your new email address',
  'code.export': 'Your code to export your wallet',
  'code.login.lead': 'Enter this code at {origin} to log in:',
  'code.email-primary.lead': 'Enter this code at {origin} to change your email address:',
  'code.email-secondary.lead': 'Enter this code at {origin} to confirm your new email address:',
  'code.export.lead': 'Enter this code at {origin} to export your wallet:',
  'code.valid': 'This code is valid for {minutes} minutes.',
  'code.secret':
    'First check that the address bar shows {origin}. Enter the code only there, and give it to nobody: anyone who has it can use your wallet.',
  'code.ignore': 'If you did not request it, ignore this email.',
  'link.subject': 'Is this you?',
  'link.lead': 'Somebody wants to log in at {origin} on a device that we don’t recognize.',
  'link.button': 'Check the device',
  'link.valid': 'This link is valid for {minutes} minutes.',
  'link.ignore': 'If this is not you, ignore this email: nobody can log in without the link.',
  'newDevice.subject': 'New device',
  'newDevice.lead': 'You logged in at {origin} on a new device.',
  'newDevice.button': 'Remove the device',
  'newDevice.otherwise':
    'If this was not you, remove the device; the link is valid for {days} days. Then secure your email account, log in, and check your recovery methods.',
  'linked.subject': 'Login with {provider}',
  'linked.lead':
    'You logged in at {origin} with {provider}. Your {provider} account with this address opens your wallet from now on.',
  'linked.otherwise':
    'If this was not you, secure your {provider} account and your email account, and move everything you own to another wallet.',
  'restored.subject': 'Your wallet was restored',
  'restored.lead': 'Your wallet was restored at {origin} on another device.',
  'methods.subject': 'Your recovery methods were changed',
  'methods.lead': 'The ways to restore your wallet were changed at {origin}.',
  'methods.now': 'Recovery',
  'methods.none': 'none',
  'methods.automatic': 'automatic recovery',
  'methods.passkey': 'passkey “{name}”',
  'methods.password': 'password',
  'removed.subject': 'A device was removed',
  'removed.lead': 'A device was removed from your wallet at {origin}. It can no longer sign.',
  'removed.otherwise': 'If this was not you, log in, check your devices, and log out everywhere.',
  'signedOut.subject': 'All devices were logged out',
  'signedOut.lead': 'All devices of your wallet were logged out at {origin}.',
  'signedOut.otherwise': 'If this was not you, log in and check your devices and recovery methods.',
  'phrase.subject': 'Your secret phrase was shown',
  'phrase.lead': 'The secret phrase of your wallet was shown at {origin}.',
  'backup.subject': 'A backup was saved',
  'backup.lead': 'A backup of your wallet was saved at {origin}.',
  'keys.otherwise':
    'If this was not you, somebody else can use your wallet: move everything you own to another wallet now.',
  'changed.subject': 'Your email address was changed',
  'changed.lead': 'The email address of your wallet was changed at {origin}.',
  'changed.new': 'New address',
  'changed.button': 'Undo the change',
  'changed.otherwise':
    'If this was not you, undo the change within {hours} hours. All devices are then logged out.',
  'fact.site': 'Website',
  'fact.device': 'Device',
  'fact.time': 'Time',
  'device.name': '{browser} on {system}',
  'device.browser': 'Browser',
} as const

export type MailTexts = Readonly<Record<keyof typeof en, string>>

const de: MailTexts = {
  'code.login': 'Dein Code zum Anmelden',
  'code.email-primary': 'Dein Code zum Ändern deiner E-Mail-Adresse',
  'code.email-secondary': 'Dein Code zum Bestätigen deiner neuen E-Mail-Adresse',
  'code.export': 'Dein Code zum Exportieren deiner Wallet',
  'code.login.lead': 'Gib diesen Code auf {origin} ein, um dich anzumelden:',
  'code.email-primary.lead': 'Gib diesen Code auf {origin} ein, um deine E-Mail-Adresse zu ändern:',
  'code.email-secondary.lead':
    'Gib diesen Code auf {origin} ein, um deine neue E-Mail-Adresse zu bestätigen:',
  'code.export.lead': 'Gib diesen Code auf {origin} ein, um deine Wallet zu exportieren:',
  'code.valid': 'Der Code gilt {minutes} Minuten.',
  'code.secret':
    'Prüfe zuerst, ob in der Adresszeile {origin} steht. Gib den Code nur dort ein und gib ihn an niemanden weiter: Wer ihn hat, kann deine Wallet benutzen.',
  'code.ignore': 'Wenn du ihn nicht angefordert hast, ignoriere diese E-Mail.',
  'link.subject': 'Bist du das?',
  'link.lead': 'Jemand möchte sich auf {origin} mit einem Gerät anmelden, das wir nicht kennen.',
  'link.button': 'Gerät prüfen',
  'link.valid': 'Der Link gilt {minutes} Minuten.',
  'link.ignore':
    'Wenn du das nicht bist, ignoriere diese E-Mail: Ohne den Link kann sich niemand anmelden.',
  'newDevice.subject': 'Neues Gerät',
  'newDevice.lead': 'Du hast dich auf {origin} mit einem neuen Gerät angemeldet.',
  'newDevice.button': 'Gerät entfernen',
  'newDevice.otherwise':
    'Wenn du das nicht warst, entferne das Gerät; der Link gilt {days} Tage. Sichere danach dein E-Mail-Konto, melde dich an und prüfe deine Methoden zur Wiederherstellung.',
  'linked.subject': 'Anmeldung mit {provider}',
  'linked.lead':
    'Du hast dich auf {origin} mit {provider} angemeldet. Dein Konto bei {provider} mit dieser Adresse öffnet von jetzt an deine Wallet.',
  'linked.otherwise':
    'Wenn du das nicht warst, sichere dein Konto bei {provider} und dein E-Mail-Konto, und übertrage alles, was dir gehört, in eine andere Wallet.',
  'restored.subject': 'Deine Wallet wurde wiederhergestellt',
  'restored.lead': 'Deine Wallet wurde auf {origin} auf einem anderen Gerät wiederhergestellt.',
  'methods.subject': 'Deine Wiederherstellung wurde geändert',
  'methods.lead': 'Die Wege, deine Wallet wiederherzustellen, wurden auf {origin} geändert.',
  'methods.now': 'Wiederherstellung',
  'methods.none': 'keine',
  'methods.automatic': 'automatische Wiederherstellung',
  'methods.passkey': 'Passkey „{name}“',
  'methods.password': 'Passwort',
  'removed.subject': 'Ein Gerät wurde entfernt',
  'removed.lead':
    'Ein Gerät wurde auf {origin} aus deiner Wallet entfernt. Es kann nicht mehr signieren.',
  'removed.otherwise':
    'Wenn du das nicht warst, melde dich an, prüfe deine Geräte und melde alle Geräte ab.',
  'signedOut.subject': 'Alle Geräte wurden abgemeldet',
  'signedOut.lead': 'Alle Geräte deiner Wallet wurden auf {origin} abgemeldet.',
  'signedOut.otherwise':
    'Wenn du das nicht warst, melde dich an und prüfe deine Geräte und deine Wiederherstellung.',
  'phrase.subject': 'Deine geheime Phrase wurde angezeigt',
  'phrase.lead': 'Die geheime Phrase deiner Wallet wurde auf {origin} angezeigt.',
  'backup.subject': 'Eine Sicherung wurde gespeichert',
  'backup.lead': 'Eine Sicherung deiner Wallet wurde auf {origin} gespeichert.',
  'keys.otherwise':
    'Wenn du das nicht warst, kann jemand anderes deine Wallet benutzen: Übertrage jetzt alles, was dir gehört, in eine andere Wallet.',
  'changed.subject': 'Deine E-Mail-Adresse wurde geändert',
  'changed.lead': 'Die E-Mail-Adresse deiner Wallet wurde auf {origin} geändert.',
  'changed.new': 'Neue Adresse',
  'changed.button': 'Änderung rückgängig machen',
  'changed.otherwise':
    'Wenn du das nicht warst, mach die Änderung innerhalb von {hours} Stunden rückgängig. Dabei werden alle Geräte abgemeldet.',
  'fact.site': 'Website',
  'fact.device': 'Gerät',
  'fact.time': 'Zeit',
  'device.name': '{browser} auf {system}',
  'device.browser': 'Browser',
}

const ar: MailTexts = {
  'code.login': 'رمز تسجيل الدخول',
  'code.email-primary': 'رمز تغيير عنوان بريدك الإلكتروني',
  'code.email-secondary': 'رمز تأكيد عنوان بريدك الإلكتروني الجديد',
  'code.export': 'رمز تصدير محفظتك',
  'code.login.lead': 'أدخل هذا الرمز في {origin} لتسجيل الدخول:',
  'code.email-primary.lead': 'أدخل هذا الرمز في {origin} لتغيير عنوان بريدك الإلكتروني:',
  'code.email-secondary.lead': 'أدخل هذا الرمز في {origin} لتأكيد عنوان بريدك الإلكتروني الجديد:',
  'code.export.lead': 'أدخل هذا الرمز في {origin} لتصدير محفظتك:',
  'code.valid': 'هذا الرمز صالح لمدة {minutes} دقائق.',
  'code.secret':
    'تحقّق أولًا من أن شريط العنوان يعرض {origin}. لا تُدخل الرمز إلا هناك ولا تعطه لأحد: كل من يملكه يستطيع استخدام محفظتك.',
  'code.ignore': 'إن لم تطلبه فتجاهل هذه الرسالة.',
  'link.subject': 'هل هذا أنت؟',
  'link.lead': 'يريد شخص ما تسجيل الدخول في {origin} على جهاز لا نعرفه.',
  'link.button': 'التحقق من الجهاز',
  'link.valid': 'هذا الرابط صالح لمدة {minutes} دقائق.',
  'link.ignore': 'إن لم يكن هذا أنت فتجاهل هذه الرسالة: لا يستطيع أحد تسجيل الدخول من دون الرابط.',
  'newDevice.subject': 'جهاز جديد',
  'newDevice.lead': 'سجّلت الدخول في {origin} على جهاز جديد.',
  'newDevice.button': 'إزالة الجهاز',
  'newDevice.otherwise':
    'إن لم تكن أنت فأزل الجهاز. صلاحية الرابط بالأيام: {days}. ثم أمّن حساب بريدك الإلكتروني وسجّل الدخول وتحقق من طرق الاسترداد.',
  'linked.subject': 'تسجيل الدخول عبر {provider}',
  'linked.lead':
    'سجّلت الدخول في {origin} عبر {provider}. من الآن يفتح حسابك لدى {provider} بهذا العنوان محفظتك.',
  'linked.otherwise':
    'إن لم تكن أنت فأمّن حسابك لدى {provider} وحساب بريدك الإلكتروني، وانقل كل ما تملكه إلى محفظة أخرى.',
  'restored.subject': 'تم استرداد محفظتك',
  'restored.lead': 'تم استرداد محفظتك في {origin} على جهاز آخر.',
  'methods.subject': 'تم تغيير طرق استرداد محفظتك',
  'methods.lead': 'تم تغيير طرق استرداد محفظتك في {origin}.',
  'methods.now': 'الاسترداد',
  'methods.none': 'لا شيء',
  'methods.automatic': 'الاسترداد التلقائي',
  'methods.passkey': 'مفتاح المرور «{name}»',
  'methods.password': 'كلمة المرور',
  'removed.subject': 'تمت إزالة جهاز',
  'removed.lead': 'تمت إزالة جهاز من محفظتك في {origin}. لم يعد بإمكانه التوقيع.',
  'removed.otherwise': 'إن لم تكن أنت فسجّل الدخول وتحقّق من أجهزتك وسجّل الخروج من كل الأجهزة.',
  'signedOut.subject': 'تم تسجيل خروج كل الأجهزة',
  'signedOut.lead': 'تم تسجيل خروج كل أجهزة محفظتك في {origin}.',
  'signedOut.otherwise': 'إن لم تكن أنت فسجّل الدخول وتحقّق من أجهزتك وطرق الاسترداد.',
  'phrase.subject': 'تم عرض عبارتك السرية',
  'phrase.lead': 'تم عرض العبارة السرية لمحفظتك في {origin}.',
  'backup.subject': 'تم حفظ نسخة احتياطية',
  'backup.lead': 'تم حفظ نسخة احتياطية من محفظتك في {origin}.',
  'keys.otherwise':
    'إن لم تكن أنت فإن شخصًا آخر يستطيع استخدام محفظتك: انقل الآن كل ما تملكه إلى محفظة أخرى.',
  'changed.subject': 'تم تغيير عنوان بريدك الإلكتروني',
  'changed.lead': 'تم تغيير عنوان البريد الإلكتروني لمحفظتك في {origin}.',
  'changed.new': 'العنوان الجديد',
  'changed.button': 'التراجع عن التغيير',
  'changed.otherwise':
    'إن لم تكن أنت فتراجع عن التغيير خلال {hours} ساعة. يُسجَّل عندئذ خروج كل الأجهزة.',
  'fact.site': 'الموقع',
  'fact.device': 'الجهاز',
  'fact.time': 'الوقت',
  'device.name': '{browser} على {system}',
  'device.browser': 'متصفح',
}

/** The strings of the mails, by language. */
export const mailTexts: Readonly<Record<FrameLanguage, MailTexts>> = { en, de, ar }
