package main

import (
	"strings"
	"unicode/utf8"
)

// language is one row of the table: what the language calls & and @, "" for a
// break, and how it spells letters.
type language struct {
	code, code3, name, and, at string

	gosimple bool   // whether gosimple/slug has a table for it
	letters  string // in lower case, of a language that gosimple/slug does not know
	contexts string
	standard string
}

// allLetters returns the letters of a language in both cases.
func (l language) allLetters() string {
	if l.gosimple {
		return letters(l.code)
	}
	var all []string
	for word := range strings.FieldsSeq(l.letters) {
		r, size := utf8.DecodeRuneInString(word)
		spelling := word[size:]
		if upper := strings.ToUpper(string(r)); upper != string(r) && utf8.RuneCountInString(upper) == 1 {
			all = append(all, upper+title(spelling))
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

func title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// kana spells what two kana say together, and those that unidecode has by
// another system: by Hepburn as revised in 1954, whose macrons a slug does not
// have.
func kana() string {
	var all []string
	add := func(kana, spelling string) {
		all = append(all, kana+"="+spelling)
		all = append(all, strings.Map(toKatakana, kana)+"="+spelling)
	}
	glides := []struct{ kana, spelling string }{
		{"き", "ky"}, {"ぎ", "gy"}, {"し", "sh"}, {"じ", "j"}, {"ち", "ch"}, {"ぢ", "j"}, {"に", "ny"}, {"ひ", "hy"}, {"び", "by"}, {"ぴ", "py"}, {"み", "my"}, {"り", "ry"},
	}
	for _, g := range glides {
		add(g.kana+"ゃ", g.spelling+"a")
		add(g.kana+"ゅ", g.spelling+"u")
		add(g.kana+"ゅう", g.spelling+"u")
		add(g.kana+"ょ", g.spelling+"o")
		add(g.kana+"ょう", g.spelling+"o")
		add(g.kana+"ぇ", g.spelling+"e")
	}
	for _, row := range []string{"おこそとのほもよろごぞどぼぽ", "うくすつぬふむゆるぐずづぶぷ"} {
		for _, k := range row {
			add(string(k)+"う", single(k))
		}
	}
	add("おお", "o")
	for _, k := range []string{"ふfu", "じji", "ぢji", "づzu", "をo", "ゐi", "ゑe"} {
		add(k[:len("ふ")], k[len("ふ"):])
	}
	for _, doubled := range []string{"kかきくけこ", "sさしすせそ", "tたちつてと", "pぱぴぷぺぽ", "gがぎぐげご", "dだでど", "bばびぶべぼ", "zざずぜぞ", "jじ", "fふ", "hはひへほ", "mまみむめも", "yやゆよ", "rらりるれろ", "wわ"} {
		add("っ("+doubled[1:]+")", doubled[:1])
	}
	all = append(all, strings.Fields("ファ=fa フィ=fi フェ=fe フォ=fo フュ=fyu ティ=ti トゥ=tu ディ=di ドゥ=du デュ=dyu テュ=tyu ウィ=wi ウェ=we ウォ=wo ツァ=tsa ツィ=tsi ツェ=tse ツォ=tso "+
		"ヴァ=va ヴィ=vi ヴェ=ve ヴォ=vo ヴュ=vyu ヴ=vu イェ=ye クァ=kwa クィ=kwi クェ=kwe クォ=kwo グァ=gwa スィ=si ズィ=zi")...)
	return strings.Join(all, " ")
}

// single is the spelling of one of the kana before う that it lengthens.
func single(k rune) string {
	const kana = "おこそとのほもよろごぞどぼぽうくすつぬふむゆるぐずづぶぷ"
	spellings := strings.Fields("o ko so to no ho mo yo ro go zo do bo po u ku su tsu nu fu mu yu ru gu zu zu bu pu")
	for i, r := range []rune(kana) {
		if r == k {
			return spellings[i]
		}
	}
	return ""
}

// toKatakana turns hiragana into katakana, which Unicode keeps 96 further on.
func toKatakana(r rune) rune {
	if 'ぁ' <= r && r <= 'ゖ' {
		return r + 'ァ' - 'ぁ'
	}
	return r
}

var languages = []language{
	{code: "af", code3: "afr", name: "Afrikaans", and: "en"},
	{code: "ar", code3: "ara", name: "Arabic"},
	{code: "az", code3: "aze", name: "Azerbaijani", and: "ve"},
	{code: "be", code3: "bel", name: "Belarusian", and: "i", letters: "гh ўu", contexts: "^е=ye ^ё=yo"},
	{code: "bg", code3: "bul", name: "Bulgarian", and: "i", at: "at", gosimple: true, contexts: "ия$=ia ^българия$=bulgaria", standard: "Transliteration Act of Bulgaria, 2009"},
	{code: "bn", code3: "ben", name: "Bengali"},
	{code: "bs", code3: "bos", name: "Bosnian", and: "i", letters: "đdj"},
	{code: "ca", code3: "cat", name: "Catalan", and: "i", at: "arrova"},
	{code: "cs", code3: "ces", name: "Czech", and: "a", at: "zavinac", gosimple: true},
	{code: "cy", code3: "cym", name: "Welsh", and: "a"},
	{code: "da", code3: "dan", name: "Danish", and: "og", at: "snabel a", letters: "åaa æae øoe"},
	{code: "de", code3: "deu", name: "German", and: "und", at: "an", gosimple: true, standard: "DIN 5007-2, ICAO Doc 9303"},
	{code: "el", code3: "ell", name: "Greek", and: "kai", at: "at", gosimple: true, contexts: greek, standard: "ELOT 743:1987 (ISO 843, type 2)"},
	{code: "en", code3: "eng", name: "English", and: "and", at: "at", gosimple: true},
	{code: "eo", code3: "epo", name: "Esperanto", and: "kaj"},
	{code: "es", code3: "spa", name: "Spanish", and: "y", at: "en", gosimple: true},
	{code: "et", code3: "est", name: "Estonian", and: "ja"},
	{code: "eu", code3: "eus", name: "Basque", and: "eta"},
	{code: "fa", code3: "fas", name: "Persian"},
	{code: "fi", code3: "fin", name: "Finnish", and: "ja", at: "at", gosimple: true},
	{code: "fo", code3: "fao", name: "Faroese", and: "og"},
	{code: "fr", code3: "fra", name: "French", and: "et", at: "arobase", gosimple: true},
	{code: "ga", code3: "gle", name: "Irish", and: "agus"},
	{code: "gl", code3: "glg", name: "Galician", and: "e", at: "arroba"},
	{code: "he", code3: "heb", name: "Hebrew"},
	{code: "hi", code3: "hin", name: "Hindi", and: "aur"},
	{code: "hr", code3: "hrv", name: "Croatian", and: "i", letters: "đdj"},
	{code: "hu", code3: "hun", name: "Hungarian", and: "es", at: "at", gosimple: true},
	{code: "hy", code3: "hye", name: "Armenian", and: "yev", letters: "ղgh ճch յy ռrr ւv խkh ծts ցts չch ջj ձdz ժzh շsh ըy էe եe ոo քk փp թt օo", contexts: "^եւ=yev եւ=ev ^և=yev և=ev ^ե=ye ^ով=ov ^ո=vo ու=u աե=aye էե=eye իե=iye օե=oye ուե=uye աև=ayev իև=iyev ուև=uyev աեւ=ayev իեւ=iyev ուեւ=uyev", standard: "BGN/PCGN 1981"},
	{code: "id", code3: "ind", name: "Indonesian", and: "dan", at: "at", gosimple: true},
	{code: "is", code3: "isl", name: "Icelandic", and: "og"},
	{code: "it", code3: "ita", name: "Italian", and: "e", at: "chiocciola", gosimple: true},
	{code: "ja", code3: "jpn", name: "Japanese", contexts: kana(), standard: "Hepburn as revised in 1954, for kana"},
	{code: "ka", code3: "kat", name: "Georgian", and: "da", standard: "national system of Georgia, 2002"},
	{code: "kk", code3: "kaz", name: "Kazakh", and: "jane", at: "at", gosimple: true},
	{code: "ko", code3: "kor", name: "Korean", standard: "unidecode, syllable by syllable"},
	{code: "ky", code3: "kir", name: "Kyrgyz", and: "jana"},
	{code: "la", code3: "lat", name: "Latin", and: "et"},
	{code: "lb", code3: "ltz", name: "Luxembourgish", and: "an"},
	{code: "lt", code3: "lit", name: "Lithuanian", and: "ir"},
	{code: "lv", code3: "lav", name: "Latvian", and: "un"},
	{code: "mk", code3: "mkd", name: "Macedonian", and: "i", letters: "ѓgj ќkj жzh чch шsh цc хh џdj ѕdz љlj њnj", standard: "ICAO Doc 9303 as for Macedonian passports"},
	{code: "mn", code3: "mon", name: "Mongolian", and: "ba"},
	{code: "ms", code3: "msa", name: "Malay", and: "dan"},
	{code: "mt", code3: "mlt", name: "Maltese", and: "u"},
	{code: "nb", code3: "nob", name: "Norwegian Bokmål", and: "og", at: "at", gosimple: true},
	{code: "nl", code3: "nld", name: "Dutch", and: "en", at: "at", gosimple: true},
	{code: "nn", code3: "nno", name: "Norwegian Nynorsk", and: "og", at: "at", gosimple: true},
	{code: "pl", code3: "pol", name: "Polish", and: "i", at: "na", gosimple: true},
	{code: "pt", code3: "por", name: "Portuguese", and: "e", at: "em", gosimple: true},
	{code: "ro", code3: "ron", name: "Romanian", and: "si", at: "at", gosimple: true},
	{code: "ru", code3: "rus", name: "Russian", and: "i", standard: "BGN/PCGN 1947, simplified"},
	{code: "sk", code3: "slk", name: "Slovak", and: "a", at: "zavinac"},
	{code: "sl", code3: "slv", name: "Slovenian", and: "in", at: "at", gosimple: true},
	{code: "sq", code3: "sqi", name: "Albanian", and: "dhe"},
	{code: "sr", code3: "srp", name: "Serbian", and: "i", letters: "жz чc шs цc хh ђdj đdj љlj њnj џdz ћc јj", standard: "Serbian Latin alphabet, without diacritics, đ as dj"},
	{code: "sv", code3: "swe", name: "Swedish", and: "och", at: "snabel a", gosimple: true},
	{code: "sw", code3: "swa", name: "Swahili", and: "na"},
	{code: "ta", code3: "tam", name: "Tamil"},
	{code: "th", code3: "tha", name: "Thai"},
	{code: "tr", code3: "tur", name: "Turkish", and: "ve", at: "et", gosimple: true},
	{code: "uk", code3: "ukr", name: "Ukrainian", and: "i", letters: "гh ґg иy йi хkh цts щshch єie їi юiu яia", contexts: "зг=zgh ^є=ye ^ї=yi ^й=y ^ю=yu ^я=ya", standard: "Cabinet of Ministers of Ukraine, resolution 55, 2010"},
	{code: "ur", code3: "urd", name: "Urdu"},
	{code: "uz", code3: "uzb", name: "Uzbek", and: "va"},
	{code: "vi", code3: "vie", name: "Vietnamese", and: "va"},
	{code: "zh", code3: "zho", name: "Chinese", contexts: hanWords, standard: "Hanyu Pinyin (ISO 7098), without tones, each syllable a word"},
}

// greek are the letters that ELOT 743 spells together.
const greek = "αυ(αάβγδεέζηήιίϊΐλμνοόρυύϋΰωώ)=av αύ(αάβγδεέζηήιίϊΐλμνοόρυύϋΰωώ)=av αυ=af αύ=af " +
	"ευ(αάβγδεέζηήιίϊΐλμνοόρυύϋΰωώ)=ev εύ(αάβγδεέζηήιίϊΐλμνοόρυύϋΰωώ)=ev ευ=ef εύ=ef " +
	"ηυ(αάβγδεέζηήιίϊΐλμνοόρυύϋΰωώ)=iv ηύ(αάβγδεέζηήιίϊΐλμνοόρυύϋΰωώ)=iv ηυ=if ηύ=if " +
	"ου=ou ού=ou γγ=ng γκ=gk γξ=nx γχ=nch ^μπ=b μπ$=b"

// hanWords are frequent words with a character that is read otherwise in them
// than alone.
const hanWords = "重庆=chong_qing 重慶=chong_qing 长春=chang_chun 长江=chang_jiang 长城=chang_cheng 长沙=chang_sha 長江=chang_jiang 長城=chang_cheng 长安=chang_an " +
	"银行=yin_hang 銀行=yin_hang 行业=hang_ye 行業=hang_ye 音乐=yin_yue 音樂=yin_yue 乐器=yue_qi 重新=chong_xin 重复=chong_fu 重複=chong_fu 都市=du_shi 首都=shou_du 成都=cheng_du 京都=jing_du " +
	"成长=cheng_zhang 成長=cheng_zhang 校长=xiao_zhang 校長=xiao_zhang 市长=shi_zhang 会计=kuai_ji 會計=kuai_ji 睡觉=shui_jiao 睡覺=shui_jiao 厦门=xia_men 廈門=xia_men 西藏=xi_zang 单位=dan_wei 参加=can_jia 广=guang_"
